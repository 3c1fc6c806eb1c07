import { appsRefusals } from './apps.refusals.ts'
import { Type } from 'typebox'
import { type CallsOf, defineCall } from '#contract/define-call.ts'
import { EpochSeconds, reply, strict, Text } from '#contract/fields.ts'

/** Apps: the programs an owner protects (part 1 §3, §5, §7 Apps; part 2 §5, §7 Apps). */

export const AppSettings = Type.Object({
  appStatus: Type.Boolean(),
  vpnBlock: Type.Boolean(),
  hwidLock: Type.Boolean(),
  hashCheck: Type.Boolean(),
  minimumHwidLength: Type.Integer(),
  hashToCheck: Type.String(),
  autoUpdateDownloadLink: Type.String(),
  webloaderDownloadLink: Type.String(),
  discordWebhookLink: Type.String(),
  sessionExpiryDuration: Type.Integer({ description: 'seconds' }),
  oneSessionPerCredential: Type.Boolean(),
  clientObfuscationKey: Type.String({ description: "The app's X25519 public key, base64url. Not a secret." }),
  serverObfuscationKey: Type.String({ description: "The app's Ed25519 root public key, base64url. Not a secret." }),
  version: Type.String(),
})

export const AppReply = Type.Object({
  appId: Type.String(),
  appName: Type.String(),
  description: Type.String(),
  version: Type.String(),
  activeSessions: Type.Integer(),
  creationDate: EpochSeconds,
  lastInitAt: Type.Union([EpochSeconds, Type.Null()]),
  settings: AppSettings,
})

const Integer = Type.Union([Type.Integer(), Type.String({ pattern: '^[0-9]{1,6}$' })])

/** What Save sends. The two keys come swapped and are ignored: they are read-only (DESIGN §10). */
const SettingsBody = strict({
  appStatus: Type.Optional(Type.Boolean()),
  vpnBlock: Type.Optional(Type.Boolean()),
  hwidLock: Type.Optional(Type.Boolean()),
  hashCheck: Type.Optional(Type.Boolean()),
  minimumHwidLength: Type.Optional(Integer),
  hashToCheck: Type.Optional(Text(128)),
  autoUpdateDownloadLink: Type.Optional(Text(2000)),
  webloaderDownloadLink: Type.Optional(Text(2000)),
  discordWebhookLink: Type.Optional(Text(2000)),
  sessionExpiryDuration: Type.Optional(Integer),
  oneSessionPerCredential: Type.Optional(Type.Boolean()),
  clientObfuscationKey: Type.Optional(Text(200)),
  serverObfuscationKey: Type.Optional(Text(200)),
  version: Type.Optional(Text(200)),
})

export const appsContract = {
  listApps: defineCall({
    method: 'GET',
    path: '/apps',
    access: 'account',
    summary: 'All apps of the signed-in owner, oldest first.',
    reply: reply({ apps: Type.Array(AppReply) }),
  }),
  selectApp: defineCall({
    method: 'POST',
    path: '/select_app',
    access: 'account',
    summary: 'Remember an app as the selected one of this session.',
    body: strict({ appName: Type.Optional(Text(50)), appId: Type.Optional(Text(40)) }),
    reply: reply({ app: AppReply }),
    refusals: appsRefusals,
  }),
  activeApp: defineCall({
    method: 'GET',
    path: '/active_app',
    access: 'account',
    summary: 'The selected app of this session, or null.',
    reply: reply({ app: Type.Union([AppReply, Type.Null()]) }),
  }),
  createApp: defineCall({
    method: 'POST',
    path: '/create_app',
    access: 'account',
    idempotent: true,
    summary: 'Create an app with its keys and select it.',
    body: strict({
      appName: Text(200),
      version: Type.Optional(Text(200)),
      description: Type.Optional(Text(2000)),
    }),
    reply: reply({ app: AppReply, appId: Type.String(), appName: Type.String() }),
    refusals: appsRefusals,
  }),
  updateApp: defineCall({
    method: 'POST',
    path: '/update_app',
    access: 'account',
    summary: 'Change the name, version or settings of an app. Fields left out stay as they are.',
    body: strict({
      appId: Type.Optional(Text(40)),
      appName: Type.Optional(Text(200)),
      version: Type.Optional(Text(200)),
      description: Type.Optional(Text(2000)),
      settings: Type.Optional(SettingsBody),
    }),
    reply: reply({ app: AppReply }),
    refusals: appsRefusals,
  }),
  deleteApp: defineCall({
    method: 'POST',
    path: '/delete_app',
    access: 'account',
    summary: 'Delete an app and everything in it. Irreversible.',
    body: strict({ appId: Text(40) }),
    reply: reply({}),
    refusals: appsRefusals,
  }),
  sslSha256: defineCall({
    method: 'GET',
    path: '/ssl-sha256',
    access: 'account',
    summary: "SHA-256 of this server's certificate, for pinning in the client. Fails when it serves no TLS itself.",
    reply: Type.Object({
      success: Type.Boolean(),
      message: Type.Optional(Type.String()),
      sha256: Type.Optional(Type.String()),
    }),
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof appsContract> {}
}
