import { generateKeyPairSync, sign } from 'node:crypto'

/** One DER value: tag, length, content. */
function der(tag: number, ...parts: Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts)
const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes))
const time = (date: Date) => der(0x18, Buffer.from(date.toISOString().replaceAll(/[-:T]|\.\d+/g, '')))
const pem = (label: string, bytes: Buffer) =>
  `-----BEGIN ${label}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${label}-----\n`

/** A new certificate for 127.0.0.1, so that there is no private key in the repository. */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const algorithm = sequence(oid(0x2b, 0x65, 0x70))
  const name = sequence(der(0x31, sequence(oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from('signet test')))))
  const alternative = sequence(oid(0x55, 0x1d, 0x11), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))
  const certified = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    sequence(time(new Date(Date.now() - 86_400_000)), time(new Date(Date.now() + 86_400_000))),
    name,
    publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(alternative)),
  )
  const signature = der(0x03, Buffer.from([0]), sign(null, certified, privateKey))
  return {
    cert: pem('CERTIFICATE', sequence(certified, algorithm, signature)),
    key: privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
  }
}
