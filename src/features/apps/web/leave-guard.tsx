import { LeaveQuestion } from '#web/ui/leave-question.tsx'
import { dropSettingsDraft, settingsDraft } from './settings-drafts.ts'

/** Asks before unsaved settings are left. Deleting the app discards its edits and leaves immediately. */
export const LeaveGuard = ({ appId, changes }: { appId: string; changes: string }) => (
  <LeaveQuestion
    hasEdits={() => Object.keys(settingsDraft(appId).edits).length > 0}
    changes={changes}
    onDiscard={() => dropSettingsDraft(appId)}
  />
)
