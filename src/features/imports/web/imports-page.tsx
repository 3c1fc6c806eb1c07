import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import { AppPage } from '#web/list/app-page.tsx'
import { useSearchParams } from '#web/navigation/search-params.ts'
import type { App } from '#web/session/session.ts'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Section } from '#web/ui/section.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { ImportForm } from './import-form.tsx'
import { type ChosenFile, type Import, importsQuery, readChosen } from './imports-data.ts'
import { PastImports } from './past-imports.tsx'

export function ImportsPage() {
  const withoutApp = t`Choose an app at the top of the sidebar. Licenses and users are imported into one app.`
  return (
    <AppPage title={t`Import`} withoutApp={withoutApp}>
      {(app) => <ImportsOfApp key={app.appId} app={app} />}
    </AppPage>
  )
}

function ImportsOfApp({ app }: { app: App }) {
  const wanted = useSearchParams().kind === 'licenses' ? 'licenses' : 'users'
  const { data } = useQuery(importsQuery())
  const [chosen, setChosen] = useState<ChosenFile>()
  const stopped = data?.imports.find((row) => canContinue(row, chosen))
  return (
    <>
      <PageHeader
        title={t`Import`}
        description={t`Bring your licenses and users from KeyAuth, from another service, or from an export of Signet.`}
      />
      <div className="flex max-w-[880px] flex-col gap-4">
        {chosen ? (
          <ImportForm
            key={chosen.name}
            app={app}
            chosen={chosen}
            stopped={stopped}
            onEnd={() => setChosen(undefined)}
          />
        ) : (
          <FileSection wanted={wanted} onChosen={setChosen} />
        )}
        <PastImports app={app} />
      </div>
    </>
  )
}

/** The same file, of which an earlier import has rows left. */
const canContinue = (row: Import, chosen: ChosenFile | undefined) =>
  chosen !== undefined &&
  chosen.fingerprint !== '' &&
  row.fingerprint === chosen.fingerprint &&
  row.kind === chosen.file.kind &&
  row.undoneAt === null &&
  row.doneRows < row.totalRows

interface FileSectionProps {
  wanted: Import['kind']
  onChosen: (chosen: ChosenFile) => void
}

function FileSection({ wanted, onChosen }: FileSectionProps) {
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [over, setOver] = useState(false)
  const choose = async (file: File | undefined) => {
    if (!file || busy) return
    setBusy(true)
    setError(undefined)
    try {
      onChosen(await readChosen(file, wanted))
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
    } finally {
      setBusy(false)
    }
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void choose(event.dataTransfer.files[0])
  }
  return (
    <Card>
      <Section title={t`File`}>
        <label
          onDragOver={(event) => {
            event.preventDefault()
            setOver(true)
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={`flex cursor-pointer flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-7 text-ui text-text-2 focus-within:outline-2 focus-within:outline-offset-2 hover:border-text-2 ${over ? 'border-accent-edge bg-surface-2' : 'border-line-strong'}`}
        >
          {busy ? <Spinner /> : <FileUp aria-hidden="true" className="size-6" />}
          <span>{t`Choose a file, or drop it here`}</span>
          <input
            type="file"
            accept=".json,.csv,.txt,application/json,text/csv,text/plain"
            className="sr-only"
            aria-invalid={error !== undefined}
            onChange={(event) => {
              void choose(event.target.files?.[0])
              // The same file can be chosen again after it was corrected.
              event.target.value = ''
            }}
          />
        </label>
        {error !== undefined && (
          <p role="alert" className="text-ui text-danger">
            {error}
          </p>
        )}
        <ul className="flex list-disc flex-col gap-1 pl-5 text-ui text-text-2">
          <li>{t`KeyAuth: a JSON export of users or licenses, or an older plain-text list of keys.`}</li>
          <li>{t`CSV with a header, or a JSON list: columns are recognized by name. Exports from Signet work as they are.`}</li>
          <li>{t`Up to 100,000 rows. Nothing is imported before you have seen what will happen.`}</li>
        </ul>
      </Section>
    </Card>
  )
}
