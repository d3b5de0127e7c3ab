// Orders as CSV: `typecase export-orders`.
import { writeFileSync } from 'node:fs';
import { defineExtension } from 'typecase';

interface Order {
  id: number;
  made: string;
  status: string;
  customer: number;
  total: string;
  receipt: string;
}

const COLUMNS = ['id', 'made', 'status', 'customer', 'total', 'receipt'] as const;

// A cell that begins like a formula would be one in a spreadsheet.
const cell = (value: unknown): string => {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

export default defineExtension({
  command: {
    name: 'export-orders',
    description: 'print orders as CSV',
    options: { '--status <status>': 'only those in this state', '--out <file>': 'write them to a file' },
    async run({ options, resource, print }) {
      const lines = [COLUMNS.join(',')];
      const status = options['status'] === undefined ? {} : { status: options['status'] };
      for (let page = 1, pages = 1; page <= pages; page += 1) {
        const asked = { per_page: 100, page, orderby: 'id', order: 'asc', ...status };
        const { items, totalPages } = await resource<Order>('order').list(asked);
        lines.push(...items.map((order) => COLUMNS.map((name) => cell(order[name])).join(',')));
        pages = totalPages;
      }
      if (options['out']) writeFileSync(String(options['out']), `${lines.join('\n')}\n`);
      else lines.forEach(print);
    },
  },
});
