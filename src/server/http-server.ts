import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener, type Server as HttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Config } from './config.ts'

/** Slow senders are cut off (F16), dead peers found (F18); Node's own limits are too generous. */
export function newHttpServer({ tls }: Pick<Config, 'tls'>, listener: RequestListener): HttpServer {
  const options = {
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 15_000,
    connectionsCheckingInterval: 2000,
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // Refused by us, with the headers of every answer.
    requireHostHeader: false,
  }
  if (!tls) return createHttpServer(options, listener)
  const certificate = {
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
    minVersion: 'TLSv1.2' as const,
  }
  return createHttpsServer({ ...options, ...certificate }, listener)
}
