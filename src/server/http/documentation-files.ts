import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import type { PageBrandOf } from './page-brand.ts'

/** Address of the documentation on every server that was built with it. */
export const documentationPath = '/docs/'

const documentationFolder = (dashboardDir: string | undefined): string | undefined => {
  const folder = dashboardDir && join(dashboardDir, '../docs')
  return folder && existsSync(join(folder, 'script-hashes.json')) ? folder : undefined
}

export const hasDocumentation = (dashboardDir: string | undefined): boolean =>
  documentationFolder(dashboardDir) !== undefined

/**
 * Inline scripts run only if the build listed them; the search compiles WebAssembly, and the colors of code are
 * attributes.
 */
const policy = (scriptHashes: readonly string[]): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' ${scriptHashes.map((hash) => `'${hash}'`).join(' ')}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

/** Serves the documentation, built by `tools/build-docs.ts`, on the platform's own host. */
export async function addDocumentation(
  server: FastifyInstance,
  dashboardDir: string | undefined,
  brandOf: PageBrandOf,
): Promise<void> {
  const folder = documentationFolder(dashboardDir)
  if (!folder) return
  const hashes = JSON.parse(readFileSync(join(folder, 'script-hashes.json'), 'utf8')) as string[]
  const contentPolicy = policy(hashes)
  const page = (name: string) => {
    const html = readFileSync(join(folder, name), 'utf8')
    return (reply: FastifyReply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', contentPolicy)
        .header('cache-control', 'no-cache')
        .send(html)
  }
  const [first, missing] = [page('index.html'), page('404.html')]
  await server.register(
    async (docs) => {
      docs.addHook('onRequest', async (request, reply) => {
        // A reseller's domain reveals nothing about the platform.
        if (await brandOf(request.hostname)) reject(commonErrors, 'NOT_FOUND')
        const [path = '', query] = request.url.split(/(?=\?)/)
        if (/\/[^/.]+$/.test(path)) return reply.redirect(`${path}/${query ?? ''}`, 301)
      })
      docs.setNotFoundHandler((_request, reply) => missing(reply.code(404)))
      // The router takes `/docs/` for `/docs`, so the files' own route does not see it.
      docs.get('/', (_request, reply) => first(reply))
      await docs.register(fastifyStatic, {
        root: folder,
        preCompressed: true,
        cacheControl: false,
        decorateReply: false,
        setHeaders(reply, path) {
          const isHashed = path.includes('/_astro/')
          reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
          reply.header('content-security-policy', contentPolicy)
        },
      })
    },
    { prefix: '/docs' },
  )
}
