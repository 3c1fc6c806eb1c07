import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { callQuery } from '#web/api/call-query.ts'
import { accountKey } from '#web/api/query-keys.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Shown if the countries of addresses are unknown: alerts about a change of country cannot be raised. */
export function CountryNotice() {
  const { data } = useQuery(callQuery(accountKey('ip-data'), 'GET /ip_data'))
  if (data?.country !== 'absent') return null
  const setting = 'GEOIP_COUNTRY_FILE'
  return (
    <Notice>
      {t`“Another country” alerts can't be raised: this server has no country file. Ask its administrator for a country database in MaxMind's format; ${setting} sets its path.`}
    </Notice>
  )
}
