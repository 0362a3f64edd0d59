import { PodMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor'
import { PrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PrometheusRule'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap'
import { Service } from 'kubernetes-models/v1/Service'
import type { Manifest } from './manifests.ts'

const OPERATOR = '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1'

/** Models that check an object by the schema which Kubernetes, or the operator's CRD, publishes. */
const MODELS = {
  'apps/v1/Deployment': Deployment,
  'autoscaling/v2/HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'networking.k8s.io/v1/NetworkPolicy': NetworkPolicy,
  'policy/v1/PodDisruptionBudget': PodDisruptionBudget,
  'v1/ConfigMap': ConfigMap,
  'v1/Service': Service,
  'monitoring.coreos.com/v1/PodMonitor': PodMonitor,
  'monitoring.coreos.com/v1/PrometheusRule': PrometheusRule,
  'monitoring.coreos.com/v1/ServiceMonitor': ServiceMonitor,
}

type Kind = keyof typeof MODELS

function kindOf({ apiVersion, kind }: Manifest): Kind {
  const name = `${apiVersion}/${kind}`
  if (!(name in MODELS)) throw new Error(`no schema is known for ${name}`)
  return name as Kind
}

/** Throws with what the schema does not allow. */
export function validateManifest(manifest: Manifest): void {
  const Model = MODELS[kindOf(manifest)] as new (data: unknown) => { validate: () => void }
  new Model(manifest).validate()
}

/** Source in which each object is a literal of its type, for what schemas let pass: unknown members. */
export function typedManifests(manifests: readonly Manifest[]): string {
  return manifests
    .map((manifest, index) => {
      const kind = kindOf(manifest)
      const isOperators = kind.startsWith('monitoring.coreos.com/')
      const module = isOperators ? `${OPERATOR}/${manifest.kind}` : `kubernetes-models/${kind}`
      const type = `import('${module}').I${manifest.kind}`
      return `const object${index} = ${JSON.stringify(manifest)} satisfies ${type}`
    })
    .join('\n')
}
