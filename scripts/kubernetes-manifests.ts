import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Document, isMap, isScalar, parseAllDocuments, visit } from 'yaml'
import { type GeneratedFile, pathInRepository } from './generated-files.ts'

/** Where `scripts/install-helm.mjs` puts it. */
const INSTALLED_HELM = pathInRepository('node_modules/.cache/helm/helm')

/** A helm to run: what HELM names, what was installed for the tests, or the one on the path. */
export function findHelm(): string | undefined {
  const candidates = [process.env.HELM, existsSync(INSTALLED_HELM) ? INSTALLED_HELM : '', 'helm']
  return candidates.find(
    (program) =>
      program !== undefined &&
      program !== '' &&
      spawnSync(program, ['version'], { stdio: 'ignore' }).status === 0,
  )
}

/** What the chart is installed as, and its objects are called. */
const RELEASE = 'precis'

export const CHART = 'deploy/helm/precis'

/** Variants of deploy/kubernetes, each with the values that make it of the chart. */
export const VARIANTS = ['shared', 'sidecar'] as const
export type Variant = (typeof VARIANTS)[number]

export const valuesFile = (variant: Variant) => `deploy/kubernetes/${variant}/values.yaml`

/** Renders the chart; throws with helm's own words where it refuses. */
export function renderChart(helm: string, ...commandLine: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(
    helm,
    ['template', RELEASE, pathInRepository(CHART), '--namespace', 'precis', ...commandLine],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Labels that would say that Helm manages what `kubectl apply` made. */
const LABELS_OF_HELM = new Set(['app.kubernetes.io/managed-by', 'helm.sh/chart'])

/** One file for each object of the variant, as `kubectl apply -k` takes them. */
export function renderVariant(helm: string, variant: Variant): readonly GeneratedFile[] {
  const rendered = renderChart(helm, '--values', pathInRepository(valuesFile(variant)))
  const documents = parseAllDocuments(rendered) as Document[]
  const manifests = documents
    .filter((document) => isMap(document.contents))
    .map((document) => {
      visit(document, {
        Pair: (_, { key }) =>
          isScalar(key) && LABELS_OF_HELM.has(String(key.value)) ? visit.REMOVE : undefined,
      })
      const kind = String(document.get('kind')).toLowerCase()
      // A second object of a kind is called by what its name has beside that of the release.
      const rest = String(document.getIn(['metadata', 'name'])).slice(RELEASE.length)
      return {
        name: `${kind}${rest}.yaml`,
        content: document
          .toString({ directives: false, lineWidth: 0, flowCollectionPadding: false })
          .replace(/^# Source: .*\n/m, ''),
      }
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const folder = `deploy/kubernetes/${variant}`
  const list = manifests.map(({ name }) => `  - ${name}\n`).join('')
  return [
    ...manifests.map(({ name, content }) => ({ path: `${folder}/${name}`, content })),
    {
      path: `${folder}/kustomization.yaml`,
      content: [
        '# Written by scripts/write-manifests.ts from the chart and values.yaml. Do not edit.',
        'apiVersion: kustomize.config.k8s.io/v1beta1',
        'kind: Kustomization',
        'resources:',
        list,
      ].join('\n'),
    },
  ]
}
