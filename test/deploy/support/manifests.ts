import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import type { Variant } from '../../../scripts/kubernetes-manifests.ts'
import { pathInRepository } from './deploy-files.ts'

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
}

export interface Container {
  readonly name: string
  readonly startupProbe?: Probe
  readonly livenessProbe?: Probe
  readonly readinessProbe?: Probe
  readonly restartPolicy?: string
  readonly env?: readonly { readonly name: string; readonly value?: string }[]
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[]
  readonly volumeMounts?: readonly unknown[]
  readonly securityContext?: unknown
}

/** Of a ServiceMonitor or a PodMonitor. */
interface Endpoint {
  readonly port: string
  readonly path: string
}

/** A NetworkPolicy's rule of who may come in. */
interface IngressRule {
  readonly ports: readonly { readonly port: number }[]
  readonly from?: readonly unknown[]
}

type Labels = Readonly<Record<string, string>>

/** As much of any object of Kubernetes as the tests read. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
  readonly spec?: {
    readonly selector?: Labels & { readonly matchLabels?: Labels }
    readonly podSelector?: { readonly matchLabels?: Labels }
    readonly template?: {
      readonly metadata: { readonly labels: Labels }
      readonly spec: {
        readonly enableServiceLinks?: boolean
        readonly automountServiceAccountToken?: boolean
        readonly terminationGracePeriodSeconds?: number
        readonly containers: readonly Container[]
        readonly initContainers?: readonly Container[]
        readonly volumes?: readonly unknown[]
      }
    }
    readonly scaleTargetRef?: { readonly name: string }
    readonly metrics?: readonly { readonly pods?: { readonly metric: { readonly name: string } } }[]
    readonly type?: string
    readonly ports?: readonly { readonly name: string; readonly targetPort: string }[]
    readonly endpoints?: readonly Endpoint[]
    readonly podMetricsEndpoints?: readonly Endpoint[]
    readonly ingress?: readonly IngressRule[]
    readonly groups?: readonly unknown[]
  }
  readonly data?: Readonly<Record<string, string>>
}

export function parseManifests(text: string): readonly Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null)
}

/** The objects that `kubectl apply -k` would make of the committed files. */
export async function readVariant(variant: Variant): Promise<readonly Manifest[]> {
  const folder = pathInRepository(`deploy/kubernetes/${variant}`)
  const { resources } = parse(await readFile(join(folder, 'kustomization.yaml'), 'utf8')) as {
    resources: readonly string[]
  }
  const files = (await readdir(folder)).filter((file) => !/^(kustomization|values)\./.test(file))
  if (files.sort().join() !== [...resources].sort().join()) throw new Error('a file is not listed')
  const texts = await Promise.all(resources.map((file) => readFile(join(folder, file), 'utf8')))
  return texts.flatMap(parseManifests)
}

export function findManifest(manifests: readonly Manifest[], kind: string): Manifest {
  const found = manifests.find((manifest) => manifest.kind === kind)
  if (found === undefined) throw new Error(`there is no ${kind}`)
  return found
}

export function podOf(manifests: readonly Manifest[]) {
  const template = findManifest(manifests, 'Deployment').spec?.template
  if (template === undefined) throw new Error('the Deployment has no pod')
  return template
}

export function precisOf(manifests: readonly Manifest[]): Container {
  const { containers, initContainers = [] } = podOf(manifests).spec
  const found = [...containers, ...initContainers].find(({ name }) => name === 'precis')
  if (found === undefined) throw new Error('there is no container precis')
  return found
}
