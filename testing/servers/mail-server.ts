import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { type PlatformSettings, smtpPasswordContext } from '#server/settings/platform-settings.ts'
import type { TestApp } from '../start-test-app.ts'
import { setPlatform } from '../platform.ts'

export interface ReceivedMail extends Omit<Email, 'sender'> {
  /** From the envelope. */
  sender: string
  recipients: string[]
  /** As received. */
  raw: string
  /** Whether it was received over TLS. */
  isSecure: boolean
  user: string | undefined
}

/** A real local mail server. */
export interface MailServer {
  port: number
  mails: ReceivedMail[]
  /** Number of connections. */
  connections: number
  /** Number of sign-ins with username and password. */
  logins: number
  /** Rejects all recipients from now on, with this reply code and text. */
  rejection: { code: number; text: string } | undefined
  /** Accepts emails, but closes the connection before it confirms them. */
  hangsUp: boolean
  close(): Promise<void>
}

export interface MailServerOptions {
  tls?: { cert: string; key: string }
  login?: { user: string; password: string }
  /** The port of a previous server; by default, any free port. */
  port?: number
}

export async function startMailServer({ tls, login, port = 0 }: MailServerOptions = {}): Promise<MailServer> {
  const options: SMTPServerOptions = {
    authOptional: login === undefined,
    disabledCommands: [...(tls ? [] : ['STARTTLS']), ...(login ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    ...tls,
    onConnect: (_session, done) => {
      state.connections += 1
      done()
    },
    onAuth: ({ username, password }, _session, done) => {
      state.logins += 1
      if (username === login?.user && password === login?.password) done(null, { user: username })
      else done(Object.assign(new Error('Invalid user or password'), { responseCode: 535 }))
    },
    onRcptTo: (_address, _session, done) => {
      if (!state.rejection) return done()
      const { code, text } = state.rejection
      done(Object.assign(new Error(text), { responseCode: code }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const { mailFrom, rcptTo } = session.envelope
        void PostalMime.parse(bytes).then((email) => {
          state.mails.push({
            ...email,
            sender: mailFrom ? mailFrom.address : '',
            recipients: rcptTo.map(({ address }) => address),
            raw: bytes.toString('latin1'),
            isSecure: session.secure,
            user: session.user as string | undefined,
          })
          if (!state.hangsUp) return done()
          for (const connection of server.connections) connection.close()
        })
      })
    },
  }
  const server = new SMTPServer(options)
  server.on('error', () => {})
  const state: MailServer = {
    port: 0,
    mails: [],
    connections: 0,
    logins: 0,
    rejection: undefined,
    hangsUp: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  state.port = (server.server.address() as AddressInfo).port
  return state
}

interface PlainServer {
  port: number
  /** Number of open connections. */
  open(): number
  close(): Promise<void>
}

/** Accepts connections and sends nothing except `greeting`. */
export const startSilentServer = (greeting = ''): Promise<PlainServer> =>
  startPlainServer((socket) => {
    if (greeting !== '') socket.write(greeting)
  })

/** A mail server whose first reply keeps continuing and never ends. */
export const startEndlessServer = (): Promise<PlainServer> =>
  startPlainServer((socket) => {
    socket.write('220 endless\r\n')
    socket.once('data', () => {
      const timer = setInterval(() => socket.write('250-and more\r\n'), 10)
      socket.on('close', () => clearInterval(timer))
    })
  })

async function startPlainServer(onConnection: (socket: Socket) => void): Promise<PlainServer> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

export type MailSettings = Partial<PlatformSettings['email']> & { smtpPassword?: string }

/** Turns on email through this server. */
export async function turnMailOn(
  app: TestApp,
  { port }: { port: number },
  { smtpPassword, ...settings }: MailSettings = {},
): Promise<void> {
  const email = {
    enabled: true,
    smtpHost: '127.0.0.1',
    smtpPort: port,
    useSSL: false,
    senderEmail: 'signet@example.com',
    senderName: 'Signet',
    ...settings,
  }
  const smtpPasswordSealed = smtpPassword && app.services.masterKey.seal(smtpPassword, smtpPasswordContext(email))
  await setPlatform(app, 'email', { ...email, ...(smtpPasswordSealed && { smtpPasswordSealed }) })
  // Loads the settings into memory.
  await app.services.settings.current()
}
