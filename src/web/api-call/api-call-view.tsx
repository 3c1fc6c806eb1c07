import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../navigation/paths.ts'
import { readStored, writeStored } from '../browser/stored.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Tabs } from '../ui/tabs.tsx'
import type { ApiCall } from './api-call.ts'
import { curlText } from './curl-text.ts'
import { pythonText } from './python-text.ts'

export interface ApiCallViewProps {
  /** The call that the button makes; the first one if there are several. */
  calls: readonly ApiCall[]
  /** A note about this call. */
  note?: string | undefined
  /** Whether the seller API has an equivalent call. */
  sellerApi?: boolean
}

const languageKey = 'api-call-language'

/** The call behind a button, as curl and as Python. */
export function ApiCallView({ calls, note, sellerApi = false }: ApiCallViewProps) {
  const [language, setLanguage] = useState(() => (readStored(languageKey) === 'python' ? 'python' : 'curl'))
  const [first] = calls
  if (!first) return null
  const choose = (next: string) => {
    setLanguage(next === 'python' ? next : 'curl')
    writeStored(languageKey, next)
  }
  const block = (text: string) => <CodeBlock label={t`Show as API call`} text={text} limited />
  const count = calls.length
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Tabs
        label={t`Language`}
        value={language}
        onChange={choose}
        tabs={[
          { value: 'curl', label: 'curl', content: block(curlText(first)) },
          { value: 'python', label: 'Python', content: block(pythonText(first)) },
        ]}
      />
      <p className="text-meta text-text-3">
        {count > 1 && `${t`The button sends ${count} calls like this one; this is the first.`} `}
        {t`The request that the button sends. Set the two variables to your session's cookie and CSRF token.`}
        {note && ` ${note}`}
        {sellerApi && (
          <>
            {' '}
            <Link
              to={paths.sellerApi()}
              className="underline underline-offset-2"
            >{t`A seller key does the same without a session.`}</Link>
          </>
        )}
      </p>
    </div>
  )
}
