import type { CallInput } from '#web/call-types.ts'

export type CreateBody = NonNullable<CallInput<'POST /create_licenses'>['body']>

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call that the button sends, for a shell. What only the browser holds is left to variables. */
export function createCurl(origin: string, appId: string, body: CreateBody): string {
  return [
    `curl ${quoted(`${origin}/api/1.0/website/create_licenses`)}`,
    `-H "Cookie: $SIGNET_COOKIE"`,
    `-H "X-CSRF-Token: $SIGNET_CSRF"`,
    `-H ${quoted(`X-App-Id: ${appId}`)}`,
    '-H "Idempotency-Key: $(uuidgen)"',
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(body, null, 2))}`,
  ].join(' \\\n  ')
}
