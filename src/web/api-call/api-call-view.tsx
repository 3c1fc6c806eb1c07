import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { sellerCalls } from 'virtual:seller-calls'
import { paths } from '../navigation/paths.ts'
import { readStored, writeStored } from '../browser/stored.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type ApiCall, variables } from './api-call.ts'
import { curlText } from './curl-text.ts'
import { pythonText } from './python-text.ts'
import { sellerCallsFor } from './seller-call.ts'

export interface ApiCallViewProps {
  /** The calls that the button makes; none while there is nothing to send. */
  calls: readonly ApiCall[]
  /** A note about this call. */
  note?: string | undefined
}

const languageKey = 'api-call-language'

/** The call of a seller key that does what the button does, or else the button's own call, as curl and as Python. */
export function ApiCallView({ calls, note }: ApiCallViewProps) {
  const [language, setLanguage] = useState(() => (readStored(languageKey) === 'python' ? 'python' : 'curl'))
  const [sent] = calls
  if (!sent) return <p className="text-meta text-text-3">{t`Change a field to see the call.`}</p>
  const translated = calls.map((call) => sellerCallsFor(call, sellerCalls))
  const seller = translated.every((each) => each !== undefined) ? translated.flat() : undefined
  const [first = sent] = seller ?? calls
  const choose = (next: string) => {
    setLanguage(next === 'python' ? next : 'curl')
    writeStored(languageKey, next)
  }
  const block = (text: string) => <CodeBlock label={t`Show as API call`} text={text} limited />
  const count = (seller ?? calls).length
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
        {seller ? <KeyNote scope={first.scope} /> : <SessionNote />}
        {count > 1 && ` ${countText(count, seller !== undefined)}`}
        {first.upload && ` ${t`The path of the file is read from ${variables.file}.`}`}
        {note !== undefined && ` ${note}`}
      </p>
    </div>
  )
}

const SessionNote = () =>
  t`The request that the button sends. Set the two variables to your session's cookie and CSRF token.`

const KeyNote = ({ scope }: { scope: string | undefined }) => (
  <Trans>
    Set {variables.sellerKey} to a{' '}
    <Link to={paths.sellerApi()} className="underline underline-offset-2">
      seller key
    </Link>{' '}
    with the permission{' '}
    <span translate="no" className="machine">
      {scope}
    </span>
    .
  </Trans>
)

function countText(calls: number, isSeller: boolean): string {
  const count = calls.toLocaleString(document.documentElement.lang || 'en')
  return isSeller
    ? t`The seller API takes one row per call: this is the first of ${count}.`
    : t`The button sends ${count} calls like this one; this is the first.`
}
