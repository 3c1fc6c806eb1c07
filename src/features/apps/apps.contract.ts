import { Type } from 'typebox'
import type { CallsOf, CodesOf } from '#contract/calls.ts'
import { appCall, defineCall } from '#contract/define-call.ts'
import { appFields, beforeField, EpochSeconds, reply, RequiredText, strict, Text } from '#contract/fields.ts'
import { appsErrors } from './apps.errors.ts'

/** Apps: the programs an owner protects. */

/** Settings the owner can change, besides the name and description of the app. */
const settings = {
  version: Type.String(),
  appStatus: Type.Boolean(),
  vpnBlock: Type.Boolean(),
  hwidLock: Type.Boolean(),
  hashCheck: Type.Boolean(),
  minimumHwidLength: Type.Integer(),
  hashToCheck: Type.String(),
  autoUpdateDownloadLink: Type.String(),
  webloaderDownloadLink: Type.String(),
  discordWebhookLink: Type.String(),
  sessionExpiryDuration: Type.Integer({ description: 'In seconds' }),
  oneSessionPerCredential: Type.Boolean(),
}

export const AppFields = Type.Object({ appName: Type.String(), description: Type.String(), ...settings })

const AppSettings = Type.Object({
  ...settings,
  clientObfuscationKey: Type.String({ description: 'X25519 public key of the app, base64url. Not a secret' }),
  serverObfuscationKey: Type.String({ description: 'Ed25519 root public key of the app, base64url. Not a secret' }),
})

export const AppReply = Type.Object({
  appId: Type.String(),
  appName: Type.String(),
  description: Type.String(),
  version: Type.String(),
  activeSessions: Type.Integer({
    description: 'Sessions with a heartbeat in the last 10 minutes that have not ended or expired',
  }),
  creationDate: EpochSeconds,
  lastInitAt: Type.Union([EpochSeconds, Type.Null()]),
  settings: AppSettings,
})

/** The fields that Save sends. The two keys arrive swapped and are ignored because they are read-only. */
const SettingsBody = strict({
  appStatus: Type.Optional(Type.Boolean()),
  vpnBlock: Type.Optional(Type.Boolean()),
  hwidLock: Type.Optional(Type.Boolean()),
  hashCheck: Type.Optional(Type.Boolean()),
  minimumHwidLength: Type.Optional(Type.Integer()),
  hashToCheck: Type.Optional(Text(128)),
  autoUpdateDownloadLink: Type.Optional(Text(2000)),
  webloaderDownloadLink: Type.Optional(Text(2000)),
  discordWebhookLink: Type.Optional(Text(2000)),
  sessionExpiryDuration: Type.Optional(Type.Integer()),
  oneSessionPerCredential: Type.Optional(Type.Boolean()),
  clientObfuscationKey: Type.Optional(Text(200)),
  serverObfuscationKey: Type.Optional(Text(200)),
  version: Type.Optional(Text(200)),
})

const IpFile = Type.Union([Type.Literal('absent'), Type.Literal('present'), Type.Literal('outdated')])

export const appsContract = {
  listApps: defineCall('GET /apps', {
    access: 'account',
    summary: 'List all apps of the signed-in owner, oldest first.',
    reply: reply({ apps: Type.Array(AppReply) }),
  }),
  selectApp: defineCall('POST /select_app', {
    access: 'account',
    summary: 'Select an app for this session.',
    body: strict({ appName: Type.Optional(Text(50)), appId: Type.Optional(Text(40)) }),
    reply: reply({ app: AppReply }),
    errors: appsErrors,
    successes: { APP_SELECT_OK: 'Switched to app: {appName}' },
  }),
  activeApp: defineCall('GET /active_app', {
    access: 'account',
    summary: 'Get the selected app of this session: the first app if none was selected, null if there are no apps.',
    reply: reply({ app: Type.Union([AppReply, Type.Null()]) }),
  }),
  createApp: defineCall('POST /create_app', {
    access: 'account',
    idempotent: true,
    summary: 'Create an app with its keys and the subscription "Basic" of level 1, and select it.',
    body: strict({
      appName: RequiredText(200, 'APP_NAME_REQUIRED'),
      version: Type.Optional(Text(200)),
      description: Type.Optional(Text(2000)),
    }),
    reply: reply({ app: AppReply, appId: Type.String(), appName: Type.String() }),
    errors: appsErrors,
    failure: 'Failed to create app',
    successes: { APP_CREATE_OK: 'App created successfully' },
  }),
  updateApp: defineCall('POST /update_app', {
    access: 'account',
    app: 'by-id',
    summary:
      'Update the name, version or settings of an app. Omitted fields keep their value. `before` holds all fields, as you last saw them, in one flat object.',
    body: strict({
      appId: Type.Optional(Text(40)),
      ...beforeField(AppFields.properties),
      appName: Type.Optional(Text(200)),
      version: Type.Optional(Text(200)),
      description: Type.Optional(Text(2000)),
      settings: Type.Optional(SettingsBody),
    }),
    reply: reply({ app: AppReply }),
    errors: appsErrors,
    failure: 'Failed to update app',
    successes: { APP_UPDATE_OK: 'Settings saved successfully!' },
  }),
  deleteApp: defineCall('POST /delete_app', {
    access: 'account',
    app: 'by-id',
    summary: 'Delete an app and all its data. This cannot be undone.',
    body: strict({ appId: Text(40) }),
    reply: reply({}),
    errors: appsErrors,
    successes: { APP_DELETE_OK: 'App deleted successfully' },
  }),
  replacedKeys: appCall('GET /replaced_app_keys', {
    summary: 'Get when the keys of the app were replaced, oldest first. Programs with the keys of before still work.',
    query: strict(appFields),
    reply: reply({ replacedAt: Type.Array(EpochSeconds) }),
  }),
  replaceKeys: defineCall('POST /replace_app_keys', {
    access: 'account',
    app: 'by-id',
    recent: true,
    idempotent: true,
    summary:
      'Replace both keys of an app, for example after a backup was stolen. Programs with the keys of before keep working until those are retired; put the new keys into your next version. This cannot be undone.',
    body: strict({ appId: Text(40) }),
    reply: reply({ clientObfuscationKey: Type.String(), serverObfuscationKey: Type.String() }),
    errors: appsErrors,
    failure: 'Failed to replace the keys',
    successes: { APP_KEYS_REPLACE_OK: 'Keys replaced. Put the new ones into your next version.' },
  }),
  retireKeys: defineCall('POST /retire_replaced_keys', {
    access: 'account',
    app: 'by-id',
    recent: true,
    summary: 'Reject all programs that contain keys from before the last replacement. This cannot be undone.',
    body: strict({ appId: Text(40) }),
    reply: reply({ retired: Type.Integer() }),
    errors: appsErrors,
    failure: 'Failed to retire the earlier keys',
    successes: { APP_KEYS_RETIRE_OK: 'Programs with earlier keys are now rejected' },
  }),
  ipDataStatus: defineCall('GET /ip_data', {
    access: 'account',
    summary:
      'Get whether the server has the databases of IP locations and VPN networks, and whether they are out of date.',
    reply: reply({ country: IpFile, vpn: IpFile }),
  }),
  sslSha256: defineCall('GET /ssl-sha256', {
    access: 'account',
    summary:
      "Get the SHA-256 fingerprint of this server's certificate, for pinning in the client. Fails if the server does not terminate TLS itself.",
    reply: Type.Object({
      success: Type.Boolean(),
      code: Type.Optional(Type.String()),
      message: Type.Optional(Type.String()),
      sha256: Type.Optional(Type.String()),
    }),
    successes: { TLS_NOT_SERVED: 'This server does not serve TLS itself' },
  }),
}

declare module '#contract/calls.ts' {
  interface Calls extends CallsOf<typeof appsContract> {}
  interface Codes extends CodesOf<typeof appsContract> {}
}
