import type { Engine } from '../../database.ts'
import { flag, identity, shardedKey } from '../column-types.ts'

/** Webhooks and their deliveries. */
export const webhooks = (engine: Engine): string => `
create table webhooks (
  app_id text not null references apps (id) on delete cascade,
  id text not null,
  url text not null,
  user_agent text not null,
  ${flag('authenticated', 1)},
  events text not null default '[]',
  secret_sealed text not null,
  previous_sealed text,
  previous_until bigint,
  stopped_at bigint,
  failing_since bigint,
  created_at bigint not null,
  primary key (app_id, id)
);

-- No webhook_id is that of the app's chat link.
create table webhook_deliveries (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  webhook_id text not null,
  message_id text not null,
  event text not null,
  body text not null,
  state text not null check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  status integer,
  failure text not null default '',
  answer text not null default '',
  duration_ms integer,
  attempted_at bigint,
  next_at bigint,
  created_at bigint not null${shardedKey(engine, 'app_id', 'id')}
);
create index webhook_deliveries_list on webhook_deliveries (app_id, webhook_id, id);
create index webhook_deliveries_age on webhook_deliveries (created_at);

create table chat_notifications (
  app_id text not null primary key references apps (id) on delete cascade,
  events text not null
);
`
