import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallDefinition } from '#contract/define-call.ts'
import { rejectDuringMaintenance } from '../settings/maintenance.ts'
import { networkOf } from '../rate-limits.ts'
import type { Services } from '../services.ts'
import type { Actor } from '../audit/actors.ts'
import { allowOrigin } from './cross-origin.ts'
import { type CsrfDependencies, rejectForgery } from './csrf-protection.ts'
import { callerOf, type IdentityDependencies, rejectKeyParameter } from './guard.ts'
import { rejectLargeRequest } from './request-size.ts'

/** Calls per session: a dashboard page makes several calls at once, and polls, so the limit is that of a seller key. */
export const websiteFactor = 20

export type AdmissionDependencies = IdentityDependencies & CsrfDependencies

/** All checks that need only the head of the request, done before the body is read. */
export async function admit(
  services: Services,
  dependencies: AdmissionDependencies,
  call: CallDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (call.crossOrigin) allowOrigin(request.raw, reply.raw, services.settings.latest.api)
  if (isAnonymous(call)) limitByNetwork(services, request, `${call.method} ${call.path}`)
  if (call.method !== 'GET' && (call.area ?? 'website') === 'website') rejectForgery(services, dependencies, request)
  // The handler of an upload counts the bytes as they arrive, also against the limit of the plan.
  if (!call.upload) rejectLargeRequest(services, Number(request.headers['content-length'] ?? 0))
  if (call.access === 'seller-key') rejectKeyParameter(request)
  const actor = await admittedCaller(services, dependencies, call, request)
  limitByActor(services, actor)
  if (request.raw.complete) request.actor = actor
}

/** The caller, if the contract of the call and maintenance mode admit them. */
export async function admittedCaller(
  services: Services,
  dependencies: IdentityDependencies,
  call: CallDefinition,
  request: FastifyRequest,
): Promise<Actor> {
  const actor = await callerOf(services, dependencies, call, request)
  if (!call.duringMaintenance && actor.type !== 'admin') rejectDuringMaintenance(services)
  return actor
}

/** Calls that change something without a session: sign-in, registration and the like. */
export const isAnonymous = ({ access, method }: CallDefinition): boolean => access === 'anyone' && method !== 'GET'

function limitByNetwork({ rateLimits, config, clock }: Services, { ip }: FastifyRequest, name: string): void {
  const max = config.limits.anonymousCallsPerMinute
  rateLimits.take({ purpose: name, subject: networkOf(ip), max, seconds: 60 }, clock())
}

function limitByActor({ rateLimits, settings, clock }: Services, actor: Actor): void {
  if (!('sessionHash' in actor)) return
  const { rateLimitPerMinute, rateLimitPerHour } = settings.latest.api
  const session = { purpose: 'session', subject: actor.sessionHash }
  rateLimits.take({ ...session, max: rateLimitPerMinute * websiteFactor, seconds: 60 }, clock())
  rateLimits.take({ ...session, max: rateLimitPerHour * websiteFactor, seconds: 3600 }, clock())
}
