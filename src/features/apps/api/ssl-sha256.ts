import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { endpoint } from '#server/http/endpoint.ts'
import { appsContract } from '../apps.contract.ts'

const call = appsContract.sslSha256

/** Behind a proxy, the proxy has the certificate: this call fails and the snippet uses 'auto'. */
export const sslSha256 = endpoint(call, {
  read: async ({ services: { config } }) => {
    if (!config.tls) return { code: 'TLS_NOT_SERVED', success: false }
    const certificate = new X509Certificate(await readFile(config.tls.certFile))
    return { sha256: certificate.fingerprint256.replaceAll(':', '').toLowerCase() }
  },
})
