import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createHash, randomBytes } from 'node:crypto'

/** The database knows sessions only by this (R-SES-01). */
export const sessionHash = (token: string): string => createHash('sha256').update(token).digest('base64url')

export const newSessionToken = (): string => randomBytes(32).toString('base64url')

export interface CookieNames {
  session: string
  /** Of the reseller area: one browser may be signed in to both (R-SES-02). */
  resellerSession: string
  /** Binds the CSRF token of somebody who isn't signed in yet. */
  visitor: string
  /** On which accounts this browser has signed in before (device-cookies.ts). */
  device: string
  secure: boolean
}

/** Over plain HTTP, which is only for trying things out, browsers refuse `__Host-` cookies. */
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

/** What the token against forged requests is bound to. */
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
