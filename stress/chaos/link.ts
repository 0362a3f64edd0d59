import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificates, createCertificates } from '../lib/certificates.ts'
import { type LinkFault, startFaultProxy } from '../lib/fault-proxy.ts'
import { createSwitchedName } from '../lib/switched-name.ts'

/** Faults of the way to a server: those of a connection, and a name that is not known any more. */
export type WayFault = LinkFault | 'unknown-name'

/** The way from the service to one server. */
export interface Link {
  /** What stands for the server's origin in the service's configuration. */
  readonly origin: string
  /** For the service's process. */
  readonly environment: Readonly<Record<string, string>>
  readonly setFault: (fault: WayFault | undefined) => Promise<void>
  readonly close: () => Promise<void>
}

const TLS_FAULTS: readonly WayFault[] = ['expired', 'self-signed', 'plaintext']

/** A way on which this fault can happen and pass again: with TLS, or by a name, where it takes that. */
export async function openLink(target: string, fault: WayFault | undefined): Promise<Link> {
  if (fault === 'unknown-name') return openNamedLink(target)
  return fault !== undefined && TLS_FAULTS.includes(fault)
    ? openTlsLink(target)
    : openPlainLink(target)
}

async function openPlainLink(target: string): Promise<Link> {
  const { origin, setFault, close } = await startFaultProxy({ target })
  return { origin, environment: {}, setFault: (fault) => setFault(asLinkFault(fault)), close }
}

let created: Promise<Certificates> | undefined

async function openTlsLink(target: string): Promise<Link> {
  created ??= createCertificates()
  const certificates = await created
  const folder = mkdtempSync(join(tmpdir(), 'precis-certificates-'))
  const file = join(folder, 'trusted.pem')
  writeFileSync(file, certificates.trusted)
  const proxy = await startFaultProxy({ target, certificates })
  return {
    origin: proxy.origin,
    environment: { NODE_EXTRA_CA_CERTS: file },
    setFault: (fault) => proxy.setFault(asLinkFault(fault)),
    close: async () => {
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openNamedLink(target: string): Promise<Link> {
  const proxy = await startFaultProxy({ target })
  const switched = createSwitchedName()
  return {
    origin: `http://${switched.name}:${proxy.port}`,
    environment: switched.environment,
    setFault: async (fault) => {
      switched.setKnown(fault !== 'unknown-name')
      // Who is connected needs no name.
      await proxy.setFault(undefined)
    },
    close: async () => {
      await proxy.close()
      switched.close()
    },
  }
}

function asLinkFault(fault: WayFault | undefined): LinkFault | undefined {
  return fault === 'unknown-name' ? undefined : fault
}
