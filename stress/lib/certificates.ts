import { generate } from 'selfsigned'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Of a server on 127.0.0.1, each its own root: whether it is believed is the client's to say. */
export interface Certificates {
  readonly good: Certificate
  /** Past its end by a day, and otherwise like `good`. */
  readonly expired: Certificate
  /** That nobody vouches for. */
  readonly stranger: Certificate
  /** PEM of those that a client is to trust; the expired one as well, so that its date alone is wrong. */
  readonly trusted: string
}

const DAY_MS = 86_400_000

export async function createCertificates(now = Date.now()): Promise<Certificates> {
  const [good, expired, stranger] = await Promise.all([
    create(now - DAY_MS, now + DAY_MS),
    create(now - 3 * DAY_MS, now - DAY_MS),
    create(now - DAY_MS, now + DAY_MS),
  ])
  return { good, expired, stranger, trusted: `${good.cert}\n${expired.cert}` }
}

async function create(notBefore: number, notAfter: number): Promise<Certificate> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(notBefore),
    notAfterDate: new Date(notAfter),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  return { key, cert }
}
