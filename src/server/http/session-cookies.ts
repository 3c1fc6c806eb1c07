import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface CookieNames {
  session: string
  /** Cookie of the reseller area: one browser can be signed in to both. */
  resellerSession: string
  /** Binds the CSRF token of a client that is not signed in yet. */
  visitor: string
  /** Accounts that have signed in from this browser before (device-cookies.ts). */
  device: string
  secure: boolean
}

/** Browsers reject `__Host-` cookies over plain HTTP, which is only for trying out Signet. */
export function cookieNames(publicUrl: string): CookieNames {
  const secure = publicUrl.startsWith('https:')
  const prefix = secure ? '__Host-' : ''
  return {
    session: `${prefix}sid`,
    resellerSession: `${prefix}rsid`,
    visitor: `${prefix}vid`,
    device: `${prefix}did`,
    secure,
  }
}

/** The value that the CSRF token is bound to. */
export const csrfBinding = (request: FastifyRequest, { session, resellerSession, visitor }: CookieNames) =>
  cookieToken(request, session) ?? cookieToken(request, resellerSession) ?? cookieToken(request, visitor)

const shape = /^[A-Za-z0-9_-]{43}$/

export function cookieToken(request: FastifyRequest, name: string): string | undefined {
  const token = request.cookies[name]
  return token && shape.test(token) ? token : undefined
}

export function setCookie(
  reply: FastifyReply,
  name: string,
  token: string,
  options: { secure: boolean; lifetimeSeconds: number | null },
): void {
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: options.secure,
    ...(options.lifetimeSeconds !== null && { maxAge: options.lifetimeSeconds }),
  })
}
