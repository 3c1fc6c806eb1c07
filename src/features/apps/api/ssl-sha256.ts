import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { endpoint } from '#server/endpoint.ts'
import { appsContract } from '../apps.contract.ts'

/** Behind a proxy the certificate is the proxy's: the reading then fails and the snippet says 'auto'. */
export const sslSha256 = endpoint(appsContract.sslSha256, {
  read: async ({ services: { config } }) => {
    if (!config.tls) return { success: false, message: 'This server does not serve TLS itself' }
    const certificate = new X509Certificate(await readFile(config.tls.certFile))
    return { sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase() }
  },
})
