import { createHash, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { commonName, der, oid, pem, sequence, time } from '#testing/servers/der.ts'

/** A key and its certificate, in PEM. */
export interface Certificate {
  cert: string
  key: string
  /** Hexadecimal SHA-256 of the certificate. */
  fingerprint: string
}

interface Terms {
  /** The IP address or the name that it is for. */
  host?: string
  notBefore?: Date
  notAfter?: Date
}

const day = 86_400_000

const critical = der(0x01, Buffer.from([0xff]))
/** An extension of `id-ce`. */
const extension = (id: number, ...rest: Uint8Array[]) => sequence(oid(0x55, 0x1d, id), ...rest)
const ecdsaWithSha256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const keyIdOf = (spki: Buffer) => createHash('sha1').update(spki).digest()

/** Issues certificates, so that there is no private key in the repository. */
export class CertificateAuthority {
  readonly #key: KeyObject
  readonly #spki: Buffer
  readonly #name = commonName('signet test authority')
  /** In PEM. */
  readonly cert: string

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    this.#spki = publicKey.export({ format: 'der', type: 'spki' })
    const isAuthority = der(0x04, sequence(critical))
    const signsCertificates = der(0x04, der(0x03, Buffer.from([2, 0x04])))
    this.cert = this.#certify(this.#spki, this.#name, {}, [
      extension(0x13, critical, isAuthority),
      extension(0x0f, critical, signsCertificates),
    ])
  }

  issue({ host = '127.0.0.1', ...terms }: Terms = {}): Certificate {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const isAddress = /^[\d.]+$/.test(host)
    const subject = isAddress ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))
    const cert = this.#certify(publicKey.export({ format: 'der', type: 'spki' }), commonName('signet test'), terms, [
      extension(0x11, der(0x04, sequence(subject))),
      extension(0x23, der(0x04, sequence(der(0x80, keyIdOf(this.#spki))))),
    ])
    const fingerprint = new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()
    return { cert, key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string, fingerprint }
  }

  #certify(spki: Buffer, subject: Buffer, terms: Terms, extensions: Buffer[]): string {
    const { notBefore = new Date(Date.now() - 2 * day), notAfter = new Date(Date.now() + day) } = terms
    const keyId = extension(0x0e, der(0x04, der(0x04, keyIdOf(spki))))
    const certified = sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.from([1, ...keyIdOf(spki).subarray(0, 8)])),
      ecdsaWithSha256,
      this.#name,
      sequence(time(notBefore), time(notAfter)),
      subject,
      spki,
      der(0xa3, sequence(keyId, ...extensions)),
    )
    const signature = der(0x03, Buffer.from([0]), sign('sha256', certified, this.#key))
    return pem('CERTIFICATE', sequence(certified, ecdsaWithSha256, signature))
  }
}
