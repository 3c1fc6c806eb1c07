import { t } from '@lingui/core/macro'
import { SecurityCards } from '#features/accounts/web/security-cards.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { Card } from '#web/ui/card.tsx'
import { Fact, FactList } from '#web/ui/fact-list.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Section } from '#web/ui/section.tsx'
import { useAccount } from '#web/session/use-account.ts'

/** The reseller's account. The owner manages the username and email address. */
export function OwnProfilePage() {
  const { username, email, createdAt } = useAccount()
  return (
    <>
      <PageHeader title={t`Profile`} />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Card>
          <Section title={t`Account`} description={t`Your administrator can change the email address.`}>
            <FactList>
              <Fact name={t`Username`}>
                <span translate="no">{username}</span>
              </Fact>
              <Fact name={t`Email`}>
                <span translate="no">{email}</span>
              </Fact>
              <Fact name={t`Account created`}>
                <TimeAgo at={createdAt} />
              </Fact>
            </FactList>
          </Section>
        </Card>
        <div className="flex min-w-0 flex-col gap-5">
          <SecurityCards />
        </div>
      </div>
    </>
  )
}
