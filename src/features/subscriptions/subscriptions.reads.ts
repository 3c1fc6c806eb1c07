import type { Reader } from '#database/database.ts'

export const listLevelsWithUsers = (db: Reader, appId: string) =>
  db
    .selectFrom('subscriptions')
    .selectAll('subscriptions')
    .select((select) =>
      select
        .selectFrom('user_subscriptions')
        .select((inner) => inner.fn.countAll<number>().as('n'))
        .whereRef('user_subscriptions.app_id', '=', 'subscriptions.app_id')
        .whereRef('user_subscriptions.level', '=', 'subscriptions.level')
        .as('user_count'),
    )
    .where('subscriptions.app_id', '=', appId)
    .orderBy('subscriptions.level')
    .execute()
