import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { preciseTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { messageCall } from '../logs.rules.ts'
import { callName, type Log } from './logs-data.ts'
import { refusalRule } from './refusal-texts.ts'

/** What stands beneath an expanded row: which rule decided, and everything that is known. */
export function LogDetails({ log }: { log: Log }) {
  const { call, code, message, credential, license, device, ip, country, session, timestamp } = log
  const timeZone = useTimeZone()
  return (
    <div className="flex max-w-3xl flex-col gap-3">
      {code !== '' && <p className="text-ui">{refusalRule(code)}</p>}
      {call === messageCall && (
        <pre translate="no" className="machine max-h-60 overflow-auto whitespace-pre-wrap break-words text-text">
          {message}
        </pre>
      )}
      <dl className="grid gap-x-6 gap-y-1.5 text-ui md:grid-cols-[auto_1fr]">
        <Entry name={t`Call`}>{callName(call)}</Entry>
        {code !== '' && <Copied name={t`Code`} text={code} />}
        <Copied name={t`Credential`} text={credential} />
        {license !== credential && <Copied name={t`License`} text={license} />}
        <Copied name={t`Device`} text={device} />
        <Copied name={t`IP Address`} text={ip} />
        {country !== '' && <Entry name={t`Country`}>{country}</Entry>}
        <Copied name={t`Session ID`} text={session} />
        <Entry name={t`Date`}>{preciseTimeText(timestamp, timeZone)}</Entry>
      </dl>
    </div>
  )
}

const Entry = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-text-2">{name}</dt>
    <dd className="min-w-0 break-all">{children}</dd>
  </>
)

/** Nothing when it isn't known. */
const Copied = ({ name, text }: { name: string; text: string }) =>
  text === '' ? null : (
    <Entry name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <span translate="no" className="machine min-w-0 break-all">
          {text}
        </span>
        <CopyButton text={text} label={t`Copy`} />
      </span>
    </Entry>
  )
