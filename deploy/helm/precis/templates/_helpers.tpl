{{- define "precis.name" -}}
{{- if contains "precis" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-precis" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "precis.selectorLabels" -}}
app.kubernetes.io/name: precis
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "precis.labels" -}}
{{ include "precis.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Name of the port that probes and Prometheus ask. */ -}}
{{- define "precis.adminPort" -}}
{{ .Values.admin.enabled | ternary "admin" "precis" }}
{{- end }}

{{- /* Who may read /metrics. */ -}}
{{- define "precis.monitoring" -}}
{{- with .Values.networkPolicy.monitoring }}
{{- toYaml . }}
{{- else -}}
- namespaceSelector:
    matchLabels:
      kubernetes.io/metadata.name: monitoring
{{- end }}
{{- end }}

{{- /* A variable's value, of its name and what YAML has made of it. */ -}}
{{- define "precis.variable" -}}
{{- $switches := list "PRECIS_REDACT" "PRECIS_UI" }}
{{- /* YAML 1.1 takes on and off for true and false, and Helm every number of a file for a fraction. */}}
{{- if and (kindIs "bool" .value) (has .name $switches) }}{{ ternary "on" "off" .value }}
{{- else if and (kindIs "float64" .value) (eq (floor .value) .value) }}{{ int64 .value }}
{{- else }}{{ .value }}{{ end }}
{{- end }}

{{- /* The container of Precis, in both modes. */ -}}
{{- define "precis.container" -}}
name: precis
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
ports:
  - name: precis
    containerPort: {{ .Values.port }}
  {{- if .Values.admin.enabled }}
  - name: admin
    containerPort: {{ .Values.admin.port }}
  {{- end }}
env:
  {{- $set := dict
    "PRECIS_HOST" "0.0.0.0"
    "PRECIS_PORT" (int64 .Values.port)
    "PRECIS_MAX_CONCURRENT_BYTES" (int64 .Values.maxConcurrentBytes)
    "PRECIS_WORKERS" (int64 .Values.workers)
    "PRECIS_SHUTDOWN_DELAY_MS" (int64 (mul .Values.shutdown.delaySeconds 1000))
    "PRECIS_SHUTDOWN_GRACE_MS" (int64 (mul .Values.shutdown.graceSeconds 1000))
  }}
  {{- if .Values.admin.enabled }}
  {{- $_ := set $set "PRECIS_ADMIN_HOST" "0.0.0.0" }}
  {{- $_ := set $set "PRECIS_ADMIN_PORT" (int64 .Values.admin.port) }}
  {{- if eq .Values.mode "sidecar" }}
  {{- $_ := set $set "PRECIS_HOST" "127.0.0.1" }}
  {{- end }}
  {{- end }}
  {{- range $name, $value := merge (deepCopy .Values.environment) $set }}
  - name: {{ $name }}
    value: {{ include "precis.variable" (dict "name" $name "value" $value) | quote }}
  {{- end }}
  {{- range $name, $source := .Values.secretEnvironment }}
  - name: {{ $name }}
    valueFrom:
      secretKeyRef:
        name: {{ $source.name }}
        key: {{ $source.key }}
  {{- end }}
{{- with .Values.volumeMounts }}
volumeMounts:
  {{- toYaml . | nindent 2 }}
{{- end }}
startupProbe:
  httpGet:
    path: /healthz
    port: {{ include "precis.adminPort" . }}
  periodSeconds: 1
  failureThreshold: 60
livenessProbe:
  httpGet:
    path: /healthz
    port: {{ include "precis.adminPort" . }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet:
    path: /readyz
    port: {{ include "precis.adminPort" . }}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 3
resources:
  {{- toYaml .Values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  capabilities:
    drop: [ALL]
  seccompProfile:
    type: RuntimeDefault
{{- end }}
