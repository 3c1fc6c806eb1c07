import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { readStored, writeStored } from '#web/browser/stored.ts'
import type { App } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { Card } from '#web/ui/card.tsx'
import { CodeBlock } from '#web/ui/code-block.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { type Tab, Tabs } from '#web/ui/tabs.tsx'
import { ClientCode } from './client-code.tsx'
import { installCommands } from './client-packages.ts'
import {
  cppSnippet,
  csharpSnippet,
  curlSnippet,
  type ProgramSettings,
  pythonSnippet,
  typescriptSnippet,
} from './client-snippets.ts'
import { LastStart } from './last-start.tsx'

const storedLanguage = 'client-language'

export function ConnectCard({ app }: { app: App }) {
  const settings = useProgramSettings(app)
  const tabs = languageTabs(settings)
  const [language, setLanguage] = useState(() => readStored(storedLanguage))
  return (
    <Card>
      <section aria-labelledby="connect-title" className="px-4 pt-4 pb-3.5">
        <h2 id="connect-title" className="text-section font-semibold">{t`Connect your program`}</h2>
        <p className="mb-2 text-ui text-text-2">{t`Public keys only: safe to ship inside it.`}</p>
        <Tabs
          label={t`Language`}
          value={tabs.find(({ value }) => value === language)?.value ?? 'python'}
          onChange={(value) => {
            setLanguage(value)
            writeStored(storedLanguage, value)
          }}
          tabs={tabs}
        />
        <ProgramValues settings={settings} />
      </section>
      <LastStart at={app.lastInitAt} />
    </Card>
  )
}

function languageTabs(settings: ProgramSettings): Tab[] {
  const commands = installCommands(settings.serverUrl)
  const install = (text: string, label = t`Install the client`) => (
    <>
      <p className="mt-3 mb-1 text-meta text-text-2">{label}</p>
      <CodeBlock label={t`Install command`} copyLabel={t`Copy install command`} text={text} />
    </>
  )
  return [
    {
      value: 'python',
      label: 'Python',
      content: (
        <>
          <ClientCode label={t`Python client initialisation`} lines={pythonSnippet(settings)} />
          {install(commands.python)}
        </>
      ),
    },
    {
      value: 'typescript',
      label: 'TypeScript',
      content: (
        <>
          <ClientCode label={t`TypeScript client`} lines={typescriptSnippet(settings)} />
          {install(commands.typescript)}
        </>
      ),
    },
    {
      value: 'csharp',
      label: 'C#',
      content: (
        <>
          <ClientCode label={t`C# client`} lines={csharpSnippet(settings)} />
          {install(commands.csharp, t`Install the client beside your project; skip the first line if you have one`)}
        </>
      ),
    },
    {
      value: 'cpp',
      label: 'C++',
      content: (
        <>
          <ClientCode label={t`C++ client`} lines={cppSnippet(settings)} />
          {install(commands.cpp, t`Add this to CMakeLists.txt; it needs libcurl and OpenSSL 3`)}
        </>
      ),
    },
    {
      value: 'curl',
      label: 'curl',
      content: (
        <>
          <ClientCode label={t`A program's first call`} lines={curlSnippet(settings)} />
          <p className="mt-3 text-meta text-text-2">
            {t`Starts a session and shows the signed response. curl does not verify the signature; the clients do.`}
          </p>
        </>
      ),
    },
  ]
}

/** The values that a program in any other language needs (docs/protocol.md). */
function ProgramValues({ settings }: { settings: ProgramSettings }) {
  const values = [
    { name: t`Server address`, value: settings.serverUrl },
    { name: t`Owner ID`, value: settings.ownerId },
    { name: t`Verification key`, value: settings.verificationKey },
    { name: t`Sealing key`, value: settings.sealingKey },
  ]
  return (
    <dl className="mt-4 grid gap-x-4 gap-y-1 border-t border-line pt-3 text-ui sm:grid-cols-[max-content_minmax(0,1fr)]">
      {values.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-text-2 sm:py-1">{name}</dt>
          <dd className="flex min-w-0 items-center gap-1.5">
            <MachineText value={value} className="min-w-0 break-all text-text" />
            <CopyButton text={value} label={t`Copy ${name}`} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Fingerprint of the certificate to pin; 'auto' if the server does not know it. */
function useSslFingerprint(): string {
  const { data } = useQuery({
    queryKey: accountKey('ssl-sha256'),
    queryFn: async ({ signal }) => (await call('GET /ssl-sha256', { signal })).sha256 ?? 'auto',
    retry: false,
    staleTime: Infinity,
  })
  return data ?? 'auto'
}

/** The saved settings, which the server checks programs against. */
function useProgramSettings(app: App): ProgramSettings {
  const account = useAccount()
  const sslFingerprint = useSslFingerprint()
  const { appName, version, settings } = app
  return {
    ownerId: account.ownerid,
    appName,
    version,
    hashCheck: settings.hashCheck,
    hashToCheck: settings.hashToCheck,
    serverUrl: location.origin,
    sslFingerprint,
    sealingKey: settings.clientObfuscationKey,
    verificationKey: settings.serverObfuscationKey,
  }
}
