import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commonErrors } from '#contract/common-errors.ts'
import { areaPrefix } from '#contract/define-call.ts'
import { reject } from '#contract/errors.ts'
import { deviceLifetimeSeconds } from '../auth/device-cookies.ts'
import type { Services } from '../services.ts'
import { isCrossSite, csrfHeader, type CsrfTokens } from './csrf.ts'
import type { SessionCookies } from './endpoint.ts'
import { type CookieNames, cookieToken, csrfBinding, setCookie } from './session-cookies.ts'

/** Every reply carries a token bound to the session cookie; dashboard calls that change something require it. */

export interface CsrfDependencies {
  csrf: CsrfTokens
  cookies: CookieNames
}

/** Rejects calls that another site made the browser send. */
export function rejectForgery(
  { config }: Services,
  { csrf, cookies }: CsrfDependencies,
  request: FastifyRequest,
): void {
  const binding = csrfBinding(request, cookies)
  const token = request.headers[csrfHeader]
  const crossSite = isCrossSite(request.headers, config.publicUrl, request.headers.host)
  if (!crossSite && binding && typeof token === 'string' && csrf.isValid(token, binding)) return
  reject(commonErrors, 'CSRF_INVALID')
}

/** The cookies of a request. When a session starts or ends, the reply carries the token of the new session. */
export function sessionCookies(
  { cookies, csrf }: CsrfDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): SessionCookies {
  const { secure } = cookies
  const account = cookieToken(request, cookies.session)
  const reseller = cookieToken(request, cookies.resellerSession)
  /** The CSRF token is bound to the account session if there is one, otherwise to the reseller session. */
  const cookie = (name: string, token: string | undefined, bind: (next: string | undefined) => string | undefined) => ({
    token,
    start(next: string, lifetimeSeconds: number | null) {
      setCookie(reply, name, next, { secure, lifetimeSeconds })
      reply.header(csrfHeader, csrf.issue(bind(next) ?? next))
    },
    end() {
      reply.clearCookie(name, { path: '/', secure, httpOnly: true, sameSite: 'lax' })
      reply.header(csrfHeader, csrf.issue(bind(undefined) ?? newVisitor(reply, cookies)))
      reply.header('clear-site-data', '"cache", "storage"')
    },
  })
  return {
    ...cookie(cookies.session, account, (next) => next ?? reseller),
    reseller: cookie(cookies.resellerSession, reseller, (next) => account ?? next),
    device: request.cookies[cookies.device],
    rememberDevice(value: string) {
      setCookie(reply, cookies.device, value, { secure, lifetimeSeconds: deviceLifetimeSeconds })
    },
  }
}

/** Every dashboard reply carries a currently valid token. */
export function addCsrfReplies(server: FastifyInstance, { cookies, csrf }: CsrfDependencies): void {
  server.addHook('onSend', async (request, reply) => {
    if (!request.url.startsWith(areaPrefix.website) || reply.hasHeader(csrfHeader)) return
    reply.header(csrfHeader, csrf.issue(csrfBinding(request, cookies) ?? newVisitor(reply, cookies)))
  })
}

function newVisitor(reply: FastifyReply, { visitor, secure }: CookieNames): string {
  const token = randomBytes(32).toString('base64url')
  setCookie(reply, visitor, token, { secure, lifetimeSeconds: null })
  return token
}
