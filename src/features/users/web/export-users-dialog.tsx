import { plural, t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { ExportDialog } from '#web/list/export-dialog.tsx'
import type { App } from '#web/session/session.ts'
import type { UserExportColumn } from '../user-list.rules.ts'
import type { UsersInView } from './users-data.ts'

const columns = (): Record<UserExportColumn, string> => ({
  username: t`Username`,
  email: t`Email`,
  status: t`Status`,
  subscriptions: t`Subscriptions`,
  hwid: t`HWID`,
  ip: t`IP`,
  created: t`Created`,
  lastLogin: t`Last login`,
})

export const ExportUsersDialog = ({ app, list }: { app: App; list: UsersInView }) => (
  <ExportDialog
    title={t`Export users`}
    call="GET /export_users"
    callSelected={(usernames, choice) => call('POST /export_users', { body: { usernames, ...choice } })}
    formats={['csv', 'json', 'txt']}
    lineText={t`One name per line`}
    columns={columns()}
    list={list}
    all={list.data?.counts.total}
    subject={t`Users`}
    allLabel={t`All users`}
    countText={(count) => plural(count, { one: '# user', other: '# users' })}
    fileName={`users-${app.appName}`}
    failure={t`Failed to export users`}
  />
)
