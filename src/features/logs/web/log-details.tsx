import { t } from '@lingui/core/macro'
import { preciseTimeText } from '#web/time/time-text.ts'
import { useTimeZone } from '#web/time/time-zone.ts'
import type { PanelKind } from '#web/panel/panel-address.ts'
import { PanelLink } from '#web/panel/panel-link.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CountryName } from '#web/ui/country-name.tsx'
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
        <Named name={t`Credential`} kind={credential === license ? 'license' : 'user'} id={credential} />
        {license !== credential && <Named name={t`License`} kind="license" id={license} />}
        <Named name={t`Device`} kind="device" id={device} />
        <Named name={t`IP Address`} kind="address" id={ip} />
        {country !== '' && (
          <Fact name={t`Country`}>
            <CountryName code={country} />
          </Fact>
        )}
        <Named name={t`Session ID`} kind="session" id={session} />
        <Fact name={t`Date`}>{preciseTimeText(timestamp, timeZone)}</Fact>
      </FactList>
    </div>
  )
}

/** A name that opens its panel, with a copy button. */
const Named = ({ name, kind, id }: { name: string; kind: PanelKind; id: string }) =>
  id === '' ? null : (
    <Fact name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <PanelLink kind={kind} id={id} />
        <CopyButton text={id} label={t`Copy`} />
      </span>
    </Fact>
  )
