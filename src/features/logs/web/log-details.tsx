import { t } from '@lingui/core/macro'
import { preciseTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import { CopiedFact, Fact, FactList } from '#web/ui/fact-list.tsx'
import { messageCall } from '../logs.rules.ts'
import { callName, type Log } from './logs-data.ts'
import { RejectionRule } from './rejection-rule.tsx'

/** Details of an expanded row: the rule that decided and all known fields. */
export function LogDetails({ log }: { log: Log }) {
  const { call, code, message, credential, license, device, ip, country, session, requestId, timestamp } = log
  const timeZone = useTimeZone()
  return (
    <div className="flex max-w-3xl flex-col gap-3">
      {code !== '' && <RejectionRule code={code} />}
      {call === messageCall && (
        <pre translate="no" className="machine max-h-60 overflow-auto whitespace-pre-wrap break-words text-text">
          {message}
        </pre>
      )}
      <FactList>
        <Fact name={t`Call`}>{callName(call)}</Fact>
        {code !== '' && <CopiedFact name={t`Code`} text={code} />}
        <CopiedFact name={t`Support code`} text={requestId} />
        <CopiedFact name={t`Credential`} text={credential} />
        {license !== credential && <CopiedFact name={t`License`} text={license} />}
        <CopiedFact name={t`Device`} text={device} />
        <CopiedFact name={t`IP Address`} text={ip} />
        {country !== '' && <Fact name={t`Country`}>{country}</Fact>}
        <CopiedFact name={t`Session ID`} text={session} />
        <Fact name={t`Date`}>{preciseTimeText(timestamp, timeZone)}</Fact>
      </FactList>
    </div>
  )
}
