import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, listOf, type Run, textOf } from './command.ts'
import { eventsOf, type ServerEvent } from './event-source.ts'
import { exitCodes, Failure } from './failures.ts'
import { checkedSecret, forward, forwardUrl, newSecret, outcomeText } from './forward.ts'
import { printable } from './printable.ts'
import { part, type SellerApi } from './seller-api.ts'

interface Listener {
  listenerId: string
  events: string[]
  headers: Record<string, string>
}

interface Listening {
  run: Run
  api: SellerApi
  events: string[]
  url: URL | undefined
  secret: string
  stopped: AbortSignal
}

const pausesMs = [1000, 2000, 5000, 10_000, 15_000]
/** A stream that ends sooner counts as a failed attempt. */
const steadyMs = 10_000
/** The last call of Ctrl-C; without an answer, the server ends the listener by itself. */
const farewellMs = 3000

const newListener = ({ api, events }: Listening): Promise<Listener> =>
  api.post<Listener>('/webhooks/listeners', events.length > 0 ? { events } : {})

/** Follows until Ctrl-C. A server that is away is waited for, and what it has kept in the meantime comes then. */
async function follow(listening: Listening): Promise<void> {
  const { run, api, stopped } = listening
  const { output } = run
  let listener = await newListener(listening)
  introduce(listening, listener)
  let position = ''
  let isEnded = false
  let failures = 0
  while (!stopped.aborted) {
    const started = Date.now()
    try {
      if (isEnded) {
        listener = await newListener(listening)
        isEnded = false
        position = ''
        output.problem('the server had ended the listener. Events between then and now are missed')
      }
      const stream = await api.stream(`/webhooks/listeners/${part(listener.listenerId)}/events`, position, stopped)
      if (failures > 0) output.problem('connected again')
      failures = 0
      for await (const event of eventsOf(stream)) {
        await receive(listening, listener, event)
        // Ctrl-C during the receiver's answer: the event was sent, nothing else is.
        if (stopped.aborted) break
        if (event.id !== '') position = event.id
      }
      if (Date.now() - started < steadyMs) failures = 1
    } catch (error) {
      if (stopped.aborted) break
      if (error instanceof Failure && error.code === 'LISTENER_NOT_FOUND') {
        isEnded = true
        continue
      }
      if (!isPassing(error)) throw error
      if (failures === 0) output.problem('the connection is lost; trying again')
      failures += 1
    }
    const pause = pausesMs[Math.min(failures, pausesMs.length - 1)]
    await sleep(pause, undefined, { signal: stopped }).catch(() => {})
  }
  await Promise.race([
    api.delete(`/webhooks/listeners/${part(listener.listenerId)}`).catch(() => {}),
    sleep(farewellMs),
  ])
}

/** Anything but a rejection: a broken stream has no exit code of its own. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Failure) || error.exitCode === exitCodes.unavailable || error.code === 'RATE_LIMITED'

function introduce({ run: { output }, url, secret }: Listening, { events }: Listener): void {
  if (output.isJson) return output.json({ secret, events, forward: url?.href ?? null }, { isLine: true })
  output.line(`Secret  ${secret}`)
  output.note(`Listening to ${events.length} kinds of events; Ctrl-C ends it`)
}

/** Prints one event, after its receiver's answer if it is forwarded. */
async function receive(
  { run: { output }, url, secret, stopped }: Listening,
  { headers }: Listener,
  { event, data }: ServerEvent,
): Promise<void> {
  if (event === 'missed') {
    const { count } = JSON.parse(data) as { count: number }
    return output.problem(`${count} event${count === 1 ? '' : 's'} missed: there were more than the server keeps`)
  }
  if (event !== 'webhook') return
  const { messageId: id, body } = JSON.parse(data) as { messageId: string; body: string }
  const forwarded = url && (await forward(url, { id, body }, { headers, secret, signal: stopped }))
  if (stopped.aborted && forwarded?.status === undefined) return
  const content = JSON.parse(body) as { type: string; timestamp: string; data: { target: string } }
  if (output.isJson) return output.json({ id, event: content, ...(forwarded && { forwarded }) }, { isLine: true })
  const time = content.timestamp.slice(0, 19).replace('T', ' ')
  const outcome = forwarded ? [outcomeText(forwarded)] : []
  output.line(printable([time, content.type, content.data.target, ...outcome].join('  ')))
}

export const webhookCommands: readonly Command[] = [
  {
    name: 'webhooks listen',
    summary: 'Print the webhook events of the app as they happen, and send them to an address of yours',
    options: [
      { name: 'forward', value: 'URL', summary: 'Send each event there, signed as a delivery' },
      { name: 'event', value: 'EVENT', isList: true, summary: 'Only this event; can be given several times' },
    ],
    more: `The secret of the signatures is new each time, unless SIGNET_WEBHOOK_SECRET has one.
The key needs logs:read, with licenses:read for events of licenses and users:read for those of users.`,
    async run(run) {
      const { values, api, environment } = run
      const forwardTo = textOf(values, 'forward')
      const own = environment.variables['SIGNET_WEBHOOK_SECRET']?.trim()
      const stop = new AbortController()
      const listening = {
        run,
        events: listOf(values, 'event'),
        url: forwardTo === undefined ? undefined : forwardUrl(forwardTo),
        secret: own ? checkedSecret(own) : newSecret(),
        api: api(),
        stopped: stop.signal,
      }
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
        process.on(signal, () => (stop.signal.aborted ? process.exit(0) : stop.abort()))
      await follow(listening)
      // A call without an answer would keep the program.
      process.exit(0)
    },
  },
]
