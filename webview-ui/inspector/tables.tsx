import type { VNode } from 'preact';
import type { DetailCell, DetailTable } from '../../src/core/kind/kind-descriptor.ts';
import { said } from '../state/l10n.ts';
import { short } from '../state/texts.ts';

/** The most letters of a cell: texts come from models and outputs. */
const LONGEST = 4000;

/** Draws what a kind says of a node at length: tables, and lists of what has a label. */
export function Tables({ tables }: { readonly tables: readonly DetailTable[] }): VNode {
  return (
    <>
      {tables.map((table) => (
        <div key={table.title}>
          <h3>{said(table.title)}</h3>
          {table.columns ? <Table table={table} columns={table.columns} /> : <List table={table} />}
        </div>
      ))}
    </>
  );
}

interface TableProps {
  readonly table: DetailTable;
  readonly columns: readonly string[];
}

/** Columns in which nothing is said are left out. */
function Table({ table: { title, rows }, columns }: TableProps): VNode {
  const used = [...columns.keys()].filter((at) => rows.some((row) => (row[at]?.text ?? '') !== ''));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keys
    <section class="table" tabIndex={0} aria-label={said(title)}>
      <table>
        <thead>
          <tr>
            {used.map((at) => (
              <th key={at} scope="col">
                {said(columns[at] ?? '')}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={i}>
              {used.map((at) =>
                at === 0 ? (
                  <th key={at} scope="row">
                    <Cell cell={row[at]} />
                  </th>
                ) : (
                  <td key={at}>
                    <Cell cell={row[at]} />
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function List({ table: { rows } }: { readonly table: DetailTable }): VNode {
  return (
    <dl class="facts">
      {rows.map(([label, ...values], i) => (
        <div key={i}>
          <dt>
            <Cell cell={label} />
          </dt>
          {values.map((value, at) => (
            <dd key={at}>
              <Cell cell={value} />
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function Cell({ cell }: { readonly cell: DetailCell | undefined }): VNode | null {
  if (!cell || cell.text === '') return null;
  const text = short(cell.isOurs ? said(cell.text) : cell.text, LONGEST);
  if (cell.isCode) return <code dir="ltr">{text}</code>;
  return (
    <span class={cell.tone ? `tone-${cell.tone}` : undefined} dir="auto">
      {text}
    </span>
  );
}
