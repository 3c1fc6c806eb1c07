import type { Engine } from '../database.ts'
import { flag, identity, shardedKey } from './column-types.ts'

export const appVariablesMigration = {
  name: 'variables of apps',
  sql: (engine: Engine) => `
create table app_variables (
  id ${identity(engine)},
  app_id text not null references apps (id) on delete cascade,
  name text not null,
  data text not null,
  ${flag('authenticated', 1)},
  created_at bigint not null,
  updated_at bigint not null,
  unique (app_id, name)${shardedKey(engine, 'app_id', 'id')}
);
`,
}
