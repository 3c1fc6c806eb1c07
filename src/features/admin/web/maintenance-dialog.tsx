import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { adminStatsQuery } from './admin-data.ts'

interface MaintenanceDialogProps {
  /** As everybody will read it. */
  message: string
  onConfirm: () => void
  onClose: () => void
}

/** Says who is locked out, before maintenance mode is turned on. */
export function MaintenanceDialog({ message, onConfirm, onClose }: MaintenanceDialogProps) {
  const { data } = useQuery(adminStatsQuery)
  return (
    <ConfirmDialog
      title={t`Turn on maintenance mode?`}
      description={t`It begins as soon as it is saved, and lasts until an administrator turns it off.`}
      impact={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>{programsText(data?.totals.apps)}</li>
          <li>{dashboardText(data?.states.active)}</li>
          <li>{t`Resellers can't sign in or sell. Shops and bots with seller keys are rejected.`}</li>
          <li>{t`Administrators keep working, and the status of the platform stays visible to them.`}</li>
        </ul>
      }
      confirmLabel={t`Turn on`}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <div className="text-ui">
        <p className="text-meta text-text-2">{t`Maintenance message`}</p>
        <p className="break-words">{message}</p>
      </div>
    </ConfirmDialog>
  )
}

function programsText(apps: number | undefined): string {
  const stop = t`Those that are running stop after about 4 minutes.`
  if (apps === undefined) return `${t`Programs of all apps can't start or sign in.`} ${stop}`
  return `${plural(apps, {
    one: "Programs of # app can't start or sign in.",
    other: "Programs of # apps can't start or sign in.",
  })} ${stop}`
}

const dashboardText = (owners: number | undefined): string =>
  owners === undefined
    ? t`Owners can't use the dashboard and get the message instead.`
    : plural(owners, {
        one: "# owner can't use the dashboard and gets the message instead.",
        other: "# owners can't use the dashboard and get the message instead.",
      })
