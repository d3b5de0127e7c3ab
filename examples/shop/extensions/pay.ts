// Paying an order takes what it holds out of the stock: all of it, or nothing.
import { defineExtension, ResourceError, type ActionCall } from 'typecase';

interface Line {
  variant: number;
  quantity: number;
}
interface Variant {
  sku: string;
  stock: number;
}

/** All lines of an order: a page of a list has at most 100 items. */
async function linesOf(order: number, resource: ActionCall['resource']): Promise<Line[]> {
  const lines: Line[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const list = await resource<Line>('order-line').list({ per_page: 100, page }, { parentId: order });
    lines.push(...list.items);
    pages = list.totalPages;
  }
  return lines;
}

async function pay({ id, row, values, op, resource }: ActionCall): Promise<void> {
  if (row!['status'] !== 'open')
    throw new ResourceError('order_not_open', { status: 409, message: `The order is ${row!['status']}.` });
  const lines = await linesOf(id, resource);
  if (lines.length === 0) throw new ResourceError('order_empty', { status: 409, message: 'The order has no lines.' });
  const variants = resource<Variant>('variant');
  for (const { variant, quantity } of lines) {
    const { sku, stock } = await variants.get(variant);
    if (stock < quantity) {
      const data = { sku, stock };
      throw new ResourceError('out_of_stock', { status: 409, message: `Only ${stock} of ${sku} are left.`, data });
    }
    await variants.update(variant, { stock: stock - quantity });
  }
  const paid = new Date(op.site.now()).toISOString();
  await resource('order').update(id, { status: 'paid', paid, receipt: values['reference'] });
}

export default defineExtension({
  action: {
    name: 'pay',
    resource: 'order',
    description: 'Pays the order: its goods leave the stock.',
    body: {
      reference: { type: 'string', required: true, minLength: 4, maxLength: 60, description: 'Of the payment.' },
    },
    needs: { any: [{ is: { customer: '$me' } }, 'manage_orders'] },
    run: pay,
  },
});
