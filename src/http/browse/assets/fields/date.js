// Dates and times: entered as wall time, next to the time zone.
import { h } from '../dom.js';
import { zone } from '../zone.js';

/** @param {import('./control.js').Wanted} wanted @returns {import('./control.js').Control} */
export function dateTime({ id, name, schema, hint, value, required }) {
  const { format } = schema;
  const isNullable = [schema.type].flat().includes('null');
  const type = format === 'date-time' ? 'datetime-local' : format;
  const stored = typeof value === 'string' ? wallOf(value, format) : '';
  const input = h('input', {
    id,
    name,
    type,
    value: stored,
    required,
    step: format === 'date' ? undefined : 1,
    max: format === 'time' ? undefined : '9999-12-31T23:59:59'.slice(0, format === 'date' ? 10 : 19),
  });
  const read = () => {
    if (input.validity.badInput) throw new Error('This date or time is not complete.');
    if (input.value === '') return value === undefined ? undefined : isNullable ? null : '';
    if (format !== 'date-time')
      return format === 'time' && input.value.length === 5 ? `${input.value}:00` : input.value;
    const wall = input.value.length === 16 ? `${input.value}:00` : input.value;
    if (wall === stored) return value;
    return hint.clock === 'site' ? wall : `${wall}Z`;
  };
  if (format !== 'date-time') return { element: input, read };
  const text = hint.clock === 'site' ? zone() : 'UTC';
  return { element: h('div', { class: 'with-button' }, input, h('span', { class: 'zone' }, text)), read };
}

/** The part of a date and time before its offset, which is that of UTC. @param {string} value @param {string} format */
function wallOf(value, format) {
  return format === 'date-time' ? value.slice(0, 19) : value;
}
