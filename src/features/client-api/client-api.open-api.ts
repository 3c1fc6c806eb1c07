import { type TSchema, Type } from 'typebox'
import type { ErrorDefinitions } from '#contract/errors.ts'
import { commonErrors } from '#contract/common-errors.ts'
import { EpochSeconds } from '#contract/fields.ts'
import { anyCallErrors } from '#server/http/call-errors.ts'
import type { Components } from '#server/http/open-api/components.ts'
import { openApiDocument } from '#server/http/open-api/document.ts'
import { clientErrors } from './client-api.errors.ts'
import { type ClientCall, clientBodies, signInCalls } from './client-calls.ts'

/**
 * The OpenAPI document of programs' calls. It describes requests and replies; how both are signed stands in
 * docs/protocol.md, and a generated client does not verify signatures.
 */

const Forever = Type.Union([EpochSeconds, Type.Null()], { description: 'Null: never' })

const SignedIn = {
  expiresAt: EpochSeconds,
  user: Type.Object({
    username: Type.String(),
    email: Type.Union([Type.String(), Type.Null()]),
    createdAt: EpochSeconds,
    lastLoginAt: Type.Union([EpochSeconds, Type.Null()]),
    subscriptions: Type.Array(Type.Object({ level: Type.Integer(), name: Type.String(), expiresAt: Forever })),
  }),
}
const Named = { name: Type.String(), value: Type.String() }

interface Described {
  summary: string
  reply: Record<string, TSchema>
}

const calls: Record<ClientCall, Described> = {
  init: {
    summary: 'Open a session. The server checks the version and the file of the program.',
    reply: {
      session: Type.String({ description: 'Token for `X-Signet-Session`' }),
      expiresAt: EpochSeconds,
      app: Type.Object({
        name: Type.String(),
        version: Type.String(),
        webloaderUrl: Type.Union([Type.String(), Type.Null()]),
      }),
    },
  },
  license: { summary: 'Sign in with a license key; its first use redeems it.', reply: SignedIn },
  login: {
    summary: 'Sign in with a username and a password. A license key is redeemed for the user first, such as to renew.',
    reply: SignedIn,
  },
  register: { summary: 'Create a user with an unused license key, and sign in.', reply: SignedIn },
  renew: { summary: 'Continue a session that expired in the last 7 days, on the same machine.', reply: SignedIn },
  'request-password-reset': { summary: 'Mail the user a link for a new password.', reply: {} },
  heartbeat: { summary: 'Ask whether the program may go on. Extends the session.', reply: SignedIn },
  variable: { summary: 'Read a variable of the app.', reply: Named },
  'user-variable': { summary: 'Read a variable of the user.', reply: Named },
  'set-user-variable': { summary: 'Create or change a variable of the user.', reply: Named },
  log: { summary: 'Write a message into the log of the app.', reply: {} },
  download: {
    summary: 'Get the signed hash of a file and an address that returns its bytes for a minute.',
    reply: { fileName: Type.String(), size: Type.Integer(), sha256: Type.String(), url: Type.String() },
  },
  upgrade: { summary: 'Redeem another license for the user, also after the time has ended.', reply: SignedIn },
  'change-password': { summary: 'Change the password of the user. Other sessions of the user end.', reply: {} },
  'call-webhook': {
    summary: 'Let the server call a webhook of the app.',
    reply: { status: Type.Integer(), body: Type.String() },
  },
  logout: { summary: 'End the session.', reply: {} },
}

const header = (name: string, description: string, required = true) => {
  return { name, in: 'header', required, description, schema: { type: 'string' } }
}

const signatureHeaders = Object.fromEntries(
  [
    ['X-Signet-Key', 'Name of the signing key'],
    ['X-Signet-Time', "The server's clock in unix milliseconds"],
    ['X-Signet-Signature', 'Signature over the request and this reply'],
    ['X-Signet-Certificate', "The root key's signature for the signing key"],
    ['X-Signet-Path', 'Path to the signed root of a group of replies'],
  ].map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
)

const camel = (call: string): string => call.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

function operation(call: ClientCall, components: Components): object {
  const { summary, reply } = calls[call]
  const operationId = camel(call)
  const name = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const needsSession = call !== 'init'
  const success = Type.Object({ success: Type.Literal(true), message: Type.String(), ...reply })
  const errors: ErrorDefinitions = { ...anyCallErrors, FIELD_REQUIRED: commonErrors.FIELD_REQUIRED, ...clientErrors }
  return {
    operationId,
    summary,
    security: [],
    parameters: [
      header('X-Signet-App', '`<owner ID>/<name of the app>`, percent-encoded'),
      header('X-Signet-Nonce', '22 to 64 characters of the base64url alphabet, never used twice'),
      header('X-Signet-Time', 'Unix milliseconds'),
      ...(needsSession
        ? [header('X-Signet-Session', signInCalls.has(call) ? 'The session of `init`' : 'The session token')]
        : []),
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: components.schema(`${name}Body`, clientBodies[call]),
        },
        'application/octet-stream': { schema: { type: 'string', format: 'binary', description: 'The sealed body' } },
      },
    },
    responses: {
      200: {
        description: 'Done; signed',
        headers: signatureHeaders,
        content: { 'application/json': { schema: components.schema(`${name}Reply`, success) } },
      },
      ...components.failures(errors),
    },
  }
}

export const clientOpenApi = (serverUrl: string): Record<string, () => object> => ({
  '/api/1.0/client/openapi.json': () =>
    openApiDocument({
      title: 'Signet client protocol',
      description:
        'The calls of protected programs. Replies are signed and requests are bound to them, which a generated client ' +
        'does not check: use a client of Signet, or read the page on the protocol.',
      serverUrl,
      securitySchemes: {},
      operations: (Object.keys(calls) as ClientCall[]).map((call) => ({
        method: 'POST',
        path: `/api/1.0/client/${call}`,
        tag: 'programs',
        content: (components) => operation(call, components),
      })),
    }),
})
