import { Type, type Static } from 'typebox'
import { Value } from 'typebox/value'

/** The settings of a running server (DESIGN §9). Only `main.ts` reads the environment. */

const ConfigSchema = Type.Object({
  PORT: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
  HOST: Type.String({ minLength: 1, default: '127.0.0.1' }),
  PUBLIC_URL: Type.Optional(Type.String({ pattern: '^https?://[^/?#]+$' })),
  DATA_DIR: Type.String({ minLength: 1, default: './data' }),
  DATABASE_URL: Type.Optional(Type.String({ pattern: '^postgres(ql)?://' })),
  MASTER_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  TRUSTED_PROXIES: Type.Optional(Type.String()),
  TLS_CERT_FILE: Type.Optional(Type.String({ minLength: 1 })),
  TLS_KEY_FILE: Type.Optional(Type.String({ minLength: 1 })),
  ADMIN_USERNAME: Type.Optional(Type.String({ minLength: 3 })),
  ADMIN_PASSWORD: Type.Optional(Type.String({ minLength: 8 })),
  ADMIN_EMAIL: Type.Optional(Type.String({ minLength: 3 })),
  METRICS_TOKEN: Type.Optional(Type.String({ minLength: 16 })),
  LOG_LEVEL: Type.Union(
    ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'].map((level) => Type.Literal(level)),
    { default: 'info' },
  ),
})

export interface Config {
  port: number
  host: string
  /** Links in mails and snippets come from here, never from the Host header. */
  publicUrl: string
  dataDir: string
  databaseUrl?: string | undefined
  masterKeyFile: string
  /** CIDRs whose `X-Forwarded-For` is believed. */
  trustedProxies: string[]
  tls?: { certFile: string; keyFile: string } | undefined
  firstAdmin?: { username: string; password: string; email: string } | undefined
  metricsToken?: string | undefined
  logLevel: string
}

export class ConfigInvalid extends Error {}

export function readConfig(environment: Record<string, string | undefined>): Config {
  const given: Record<string, unknown> = {}
  for (const name of Object.keys(ConfigSchema.properties)) {
    const text = environment[name]
    if (text !== undefined && text !== '') given[name] = name === 'PORT' && /^\d+$/.test(text) ? Number(text) : text
  }
  const settings = Value.Default(ConfigSchema, given)
  if (!Value.Check(ConfigSchema, settings)) {
    const [problem] = Value.Errors(ConfigSchema, settings)
    const name = problem?.instancePath.slice(1) || 'The configuration'
    throw new ConfigInvalid(`${name} ${problem?.message}, but is ${JSON.stringify(environment[name])}`)
  }
  return configOf(settings)
}

function configOf(settings: Static<typeof ConfigSchema>): Config {
  const { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile } = settings
  if (!certFile !== !keyFile) throw new ConfigInvalid('TLS_CERT_FILE and TLS_KEY_FILE go together')
  const { ADMIN_USERNAME: username, ADMIN_PASSWORD: password, ADMIN_EMAIL: email } = settings
  const admin = [username, password, email].filter(Boolean)
  if (admin.length !== 0 && admin.length !== 3) {
    throw new ConfigInvalid('ADMIN_USERNAME, ADMIN_PASSWORD and ADMIN_EMAIL go together')
  }
  const host = settings.HOST.includes(':') ? `[${settings.HOST}]` : settings.HOST
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL ?? `${certFile ? 'https' : 'http'}://${host}:${settings.PORT}`,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    masterKeyFile: settings.MASTER_KEY_FILE ?? `${settings.DATA_DIR}/master.key`,
    trustedProxies: (settings.TRUSTED_PROXIES ?? '').split(',').map((text) => text.trim()).filter(Boolean),
    tls: certFile && keyFile ? { certFile, keyFile } : undefined,
    firstAdmin: username && password && email ? { username, password, email } : undefined,
    metricsToken: settings.METRICS_TOKEN,
    logLevel: settings.LOG_LEVEL,
  }
}
