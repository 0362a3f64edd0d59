import { readPiece } from '../pieces.ts'
import type { Step } from '../session.ts'

export const MIGRATION: readonly Step[] = [
  {
    user: 'Stop for a moment, something more urgent on another topic. Migration 0012 failed on staging and now nobody can deploy there. Can you find out why?',
  },
  {
    assistant: 'Leaving the retry work where it is. What is there, and what did it say?',
    uses: [
      { tool: 'list_files', folder: 'migrations/' },
      { tool: 'read_file', path: 'migrations/0012_refund_reasons.sql' },
      {
        tool: 'run_command',
        command: 'stagectl logs courier-desk-migrate --last-run',
        output: readPiece('migrate-log'),
      },
    ],
  },
  {
    assistant: '',
    uses: [
      { tool: 'read_file', path: 'src/db/migrate.ts' },
      { tool: 'read_file', path: 'migrations/0011_refunds.sql' },
    ],
  },
  {
    assistant: `There are two faults, and the second would have come right after the first.

1. \`create index concurrently\` cannot run inside a transaction, and migrate.ts opens one for every file.
2. The constraint is added before the update that repairs the rows. Any row with the old reason \`customer\` makes it fail.

How many such rows are there on staging?`,
    uses: [
      {
        tool: 'run_command',
        command:
          'stagectl psql courier-desk "select reason, count(*) from refunds group by 1 order by 2 desc"',
        output: readPiece('refund-reasons'),
      },
    ],
  },
  {
    assistant: `So the constraint would have failed: 318 rows say \`customer\`, and 4 have \`other\`, which the file does not repair at all.

My proposal: 0012 does the update first, then adds the constraint as \`not valid\` and validates it, which takes no long lock. The index moves to a file of its own, 0013, and migrate.ts runs files without a transaction when their first line says \`-- no-transaction\`. What should become of \`other\`?`,
  },
  {
    user: 'Those four are from the import in March, make them requested_by_customer as well. The proposal is fine. The table is small, does the index need concurrently at all?',
  },
  {
    assistant: '',
    uses: [
      {
        tool: 'run_command',
        command: 'stagectl psql courier-desk "\\dt+ refunds" "\\d refunds"',
        output: readPiece('refunds-table'),
      },
    ],
  },
  {
    assistant:
      'At 61 MB here, and production has about nine times as many rows by its last report, a plain index would block writes to refunds for a few seconds. You can live with that at night, not at noon. I keep concurrently; the change in migrate.ts is six lines.',
    uses: [
      {
        tool: 'edit_file',
        path: 'migrations/0012_refund_reasons.sql',
        old: `create index concurrently refunds_charge_id on refunds (charge_id);

alter table refunds
  add constraint refunds_reason_known
  check (reason in ('requested_by_customer', 'duplicate', 'damaged'));

update refunds set reason = 'requested_by_customer' where reason = 'customer';`,
        new: `update refunds set reason = 'requested_by_customer' where reason in ('customer', 'other');

alter table refunds
  add constraint refunds_reason_known
  check (reason in ('requested_by_customer', 'duplicate', 'damaged')) not valid;

alter table refunds validate constraint refunds_reason_known;
`,
      },
      {
        tool: 'edit_file',
        path: 'migrations/0013_refunds_charge_index.sql',
        old: '',
        new: `-- no-transaction
drop index concurrently if exists refunds_charge_id;
create index concurrently refunds_charge_id on refunds (charge_id);
`,
      },
      {
        tool: 'edit_file',
        path: 'src/db/migrate.ts',
        old: `      log(\`running \${name}\`)
      await client.query('begin')`,
        new: `      log(\`running \${name}\`)
      if (sql.startsWith('-- no-transaction')) {
        // Statement by statement: several in one query are one transaction too.
        for (const statement of statementsOf(sql)) await client.query(statement)
        await client.query('insert into migrations values ($1, now())', [name])
        count += 1
        continue
      }
      await client.query('begin')`,
      },
    ],
  },
  {
    assistant: '',
    uses: [{ tool: 'read_file', path: 'src/db/migrate.ts', from: 18, to: 54 }],
  },
  {
    assistant:
      'The helper is missing. Our files have no functions or quoted semicolons, so splitting at the end of a line is enough, and it says so.',
    uses: [
      {
        tool: 'edit_file',
        path: 'src/db/migrate.ts',
        old: `/** Runs what has not run yet`,
        new: `/** Only for files without quoted semicolons: a statement ends where a line ends in one. */
function statementsOf(sql: string): string[] {
  return sql.split(/;\\s*$/m).filter((statement) => statement.trim() !== '')
}

/** Runs what has not run yet`,
      },
      {
        tool: 'run_command',
        command: 'npm run migrate -- --database-url postgres://localhost/courier_desk_scratch',
        output: readPiece('migrate-run'),
      },
    ],
  },
  {
    assistant: `It runs through on a scratch database, twice: the second time it finds nothing to do.

Before the next deploy, staging needs one thing by hand: the failed \`create index concurrently\` may have left an invalid index. 0013 drops it first, so a plain deploy is enough; I only mention it because \`\\d refunds\` shows it as INVALID until then.`,
  },
  { user: 'Deployed, staging is green again. Thanks! You saved my lunch.' },
  { assistant: 'Glad to hear it. What is for lunch?' },
  { user: 'Lentil soup, as every Tuesday. The canteen is not strong on variety.' },
  { assistant: 'There are worse constants. Shall I go on?' },
]
