import { generateKeyPairSync, sign } from 'node:crypto'
import { commonName, der, oid, pem, sequence, time } from './der.ts'

/** A new certificate for 127.0.0.1, so that there is no private key in the repository. */
export function selfSigned(): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const algorithm = sequence(oid(0x2b, 0x65, 0x70))
  const name = commonName('signet test')
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
