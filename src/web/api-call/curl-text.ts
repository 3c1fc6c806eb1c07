import { type ApiCall, variables } from './api-call.ts'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The call for a shell. */
export function curlText({ method, url, appId, idempotent, body }: ApiCall): string {
  return [
    `curl -X ${method} ${quoted(url)}`,
    `-H "Cookie: $${variables.cookie}"`,
    `-H "X-CSRF-Token: $${variables.csrf}"`,
    ...(appId ? [`-H ${quoted(`X-App-Id: ${appId}`)}`] : []),
    ...(idempotent ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ')
}
