import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { reject } from '#contract/errors.ts'
import { areaPrefix } from '#contract/define-call.ts'
import { htmlText } from '#contract/html-text.ts'
import type { Feature } from './endpoint.ts'
import { documentationPath, hasDocumentation } from './documentation-files.ts'
import { mailIsOn } from '../mail/mail.ts'
import { pageBrands } from './page-brand.ts'
import { pagePolicy } from './security-headers.ts'
import type { Services } from '../services.ts'
import { frameAddress } from '../status/frame-address.ts'

/** Open pages compare this with their own version: a different one means that their files may be gone. */
const buildHeader = 'x-signet-build'

/** Of the scripts that the build has put into the page, as a Content-Security-Policy names them. */
const inlineScriptHashes = (html: string): string[] =>
  [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, code = '']) => `sha256-${createHash('sha256').update(code).digest('base64')}`,
  )

/** The host where session cookies work, if only over HTTPS; a page on a reseller's domain names that domain. */
function httpsUrl(publicUrl: string, ownDomain: string | undefined): string {
  if (!publicUrl.startsWith('https:')) return ''
  return ownDomain === undefined ? publicUrl : `https://${ownDomain}`
}

/** Serves the built dashboard; every path that is neither a file nor an API is a screen of it. */
export async function addDashboard(
  server: FastifyInstance,
  directory: string | undefined,
  services: Services,
  features: readonly Pick<Feature, 'pageBrand' | 'registrationState'>[],
): Promise<void> {
  const { config, settings } = services
  const brandOf = pageBrands(services, features)
  const registrationState = async () => {
    const states = features.map((feature) => feature.registrationState?.(services))
    return (await Promise.all(states).catch(() => [])).find((state) => state !== undefined) ?? 'open'
  }
  const source =
    directory && existsSync(join(directory, 'index.html'))
      ? readFileSync(join(directory, 'index.html'), 'utf8')
      : undefined
  // The page names its hashed files, so it changes with each of them.
  const build = source && createHash('sha256').update(source).digest('base64url').slice(0, 16)
  const page = build && source.replace('__BUILD__', build)
  const scripts = inlineScriptHashes(source ?? '')
  const documentation = hasDocumentation(directory) ? documentationPath : undefined
  const ownLinks = { ...config.links, documentation: config.links.documentation ?? documentation }
  if (directory && page) {
    server.addHook('onSend', async (request, reply) => {
      const { url } = request
      if (url.startsWith(areaPrefix.website) || url === '/healthz') reply.header(buildHeader, build)
    })
    await server.register(fastifyStatic, {
      root: directory,
      wildcard: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders(reply, path) {
        const hashed = path.includes('/assets/')
        reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  server.setNotFoundHandler(async (request, reply) => {
    const wantsPage = (request.method === 'GET' || request.method === 'HEAD') && !request.url.startsWith('/api/')
    // The query of a screen may end like a file name; its path does not.
    const [path = ''] = request.url.split('?')
    if (!page || !wantsPage || /\.[a-z0-9]+$/i.test(path)) {
      reject(commonErrors, 'NOT_FOUND')
    }
    const nonce = randomBytes(16).toString('base64')
    const brand = await brandOf(request.hostname)
    // A reseller's domain reveals nothing about the platform.
    const registration = brand ? 'open' : await registrationState()
    const { platform, security } = settings.latest
    const title = brand?.name ?? platform.platformName
    const passwords = { minLength: security.passwordMinLength, complex: security.requireComplexPassword }
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', pagePolicy(nonce, scripts, frameAddress(services)?.origin))
      .header('cache-control', 'no-store')
      .send(
        page
          .replaceAll('__CSP_NONCE__', nonce)
          .replace('__LINKS__', () => htmlText(JSON.stringify(brand ? config.links : ownLinks)))
          .replace('__BRAND__', () => (brand ? htmlText(JSON.stringify(brand)) : ''))
          .replace('__MAIL__', mailIsOn({ settings }) ? 'on' : 'off')
          .replace('__REGISTRATION__', registration)
          .replace('__HTTPS__', () => htmlText(httpsUrl(config.publicUrl, brand && request.hostname)))
          .replace('__PASSWORDS__', () => htmlText(JSON.stringify(passwords)))
          .replace('<title>Signet</title>', () => `<title>${htmlText(title)}</title>`),
      )
  })
}
