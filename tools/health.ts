import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/** The HEALTHCHECK of the image: exits with 0 if the server on this machine replies on /healthz, also over TLS. */
const { PORT = '', HOST = '', TLS_CERT_FILE = '' } = process.env
const everywhere = new Set(['', '0.0.0.0', '::'])
const send = TLS_CERT_FILE === '' ? requestHttp : requestHttps
const check = send({
  host: everywhere.has(HOST) ? '127.0.0.1' : HOST,
  port: PORT || '8080',
  path: '/healthz',
  // The certificate is issued for the public name.
  rejectUnauthorized: false,
  timeout: 4000,
})
check.on('response', ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
check.on('timeout', () => process.exit(1))
check.on('error', () => process.exit(1))
check.end()
