// Findings are repaired in transactions of limited size, those of one kind together.
import { expect, it } from '@jest/globals';
import { fixFindings } from '../../../src/maintenance/fix-findings.js';
import type { AuditFinding } from '../../../src/model/hooks.js';
import type { Store, Transaction } from '../../../src/model/store.js';

it('each finding that can be repaired is repaired once', async () => {
  const done: string[] = [];
  let transactions = 0;
  const store = {
    transaction: async (work: (tx: Transaction) => Promise<void>) => {
      transactions += 1;
      await work({} as Transaction);
    },
  } as unknown as Store;
  const together: AuditFinding['fixTogether'] = async (findings) => {
    done.push(`${findings.length} together`);
  };
  const alone = (message: string): AuditFinding => ({ message, fix: async () => void done.push(message) });
  const findings = Array.from({ length: 450 }, (_, at): AuditFinding => {
    const finding = alone(`alone ${at}`);
    return at % 3 === 0 ? finding : { ...finding, fixTogether: together };
  });
  await fixFindings([{ message: 'beyond repair' }, ...findings], store);
  expect(done.filter((each) => each.endsWith('together'))).toEqual(['200 together', '100 together']);
  expect(done.filter((each) => each.startsWith('alone'))).toHaveLength(150);
  expect(transactions).toBe(3);
});
