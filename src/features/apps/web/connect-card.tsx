import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '#web/api/call.ts'
import { accountKey } from '#web/api/query-keys.ts'
import type { App } from '#web/session/session.ts'
import { useAccount } from '#web/session/use-account.ts'
import { Card } from '#web/ui/card.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { MachineText } from '#web/ui/machine-text.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { ClientCode } from './client-code.tsx'
import { curlSnippet, type ProgramSettings, pythonSnippet } from './client-snippets.ts'
import { LastStart } from './last-start.tsx'

const installCommand = 'pip install ./sdks/python'

export function ConnectCard({ app }: { app: App }) {
  const settings = useProgramSettings(app)
  const [language, setLanguage] = useState('python')
  const python = (
    <>
      <ClientCode label={t`Python client initialisation`} lines={pythonSnippet(settings)} />
      <p className="mt-3 text-meta text-text-2">{t`Install the client first, from a copy of the repository:`}</p>
      <p className="flex items-center gap-1.5">
        <MachineText value={installCommand} className="text-text" />
        <CopyButton text={installCommand} label={t`Copy install command`} />
      </p>
    </>
  )
  const curl = (
    <>
      <ClientCode label={t`A program's first call`} lines={curlSnippet(settings)} />
      <p className="mt-3 text-meta text-text-2">
        {t`Starts a session and shows the signed response. curl does not verify the signature; the clients do.`}
      </p>
    </>
  )
  return (
    <Card>
      <section aria-labelledby="connect-title" className="px-4 pt-4 pb-3.5">
        <h2 id="connect-title" className="text-section font-semibold">{t`Connect your program`}</h2>
        <p className="mb-2 text-ui text-text-2">{t`Public keys only: safe to ship inside it.`}</p>
        <Tabs
          label={t`Language`}
          value={language}
          onChange={setLanguage}
          tabs={[
            { value: 'python', label: 'Python', content: python },
            { value: 'curl', label: 'curl', content: curl },
          ]}
        />
      </section>
      <LastStart at={app.lastInitAt} />
    </Card>
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
    clientObfuscationKey: settings.clientObfuscationKey,
    serverObfuscationKey: settings.serverObfuscationKey,
  }
}
