// Dates as clients write them and between clocks: N-01 of the behaviours, vectors of docs/behaviour/dates.md.
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isZone, parseDateTime, toUtc, toWall } from '../../../src/values/date-time.js';
import { anyText } from '../../support/any-text.js';

const NOON = '2017-01-16T11:30:00';

describe('N-01 reading', () => {
  it.each([
    ['', undefined],
    ['-05:00', -300],
    ['-05:30', -330],
    ['-05', -300],
    ['+05', 300],
    ['+00', 0],
    ['-00', 0],
    ['Z', 0],
    ['.123Z', 0],
    ['.5', undefined],
  ])(`${NOON}%s`, (suffix, offsetMinutes) => {
    const parsed = offsetMinutes === undefined ? { wall: NOON } : { wall: NOON, offsetMinutes };
    expect(parseDateTime(`${NOON}${suffix}`)).toEqual(parsed);
    expect(parseDateTime(`${NOON}${suffix}`.replace('T', ' '))).toEqual(parsed);
    expect(parseDateTime(`${NOON}${suffix}`.replace('T', 't'))).toEqual(parsed);
  });

  it.each([
    '2017-01-16T11:30:00-5',
    '2017-01-16T11:30:00+0530',
    '2017-01-16T11:30',
    '2017-01-16T11:30Z',
    '2017-01-16T11',
    '2017-01-16T',
    '2017-01-16',
    '2017-01',
    '2017',
    '',
    'tomorrow',
    ' 2017-01-16T11:30:00',
    '2017-01-16T11:30:00\n',
    '17-01-16T11:30:00',
    '٢٠١٧-01-16T11:30:00',
  ])('%j is not a date', (text) => {
    expect(parseDateTime(text)).toBe('format');
  });

  it.each([
    '2017-13-16T11:30:00',
    '2017-00-16T11:30:00',
    '2017-02-30T11:30:00',
    '2017-02-29T11:30:00',
    '2017-01-16T24:00:00',
    '2017-01-16T11:60:00',
    '2017-01-16T11:30:60',
    '0000-01-01T00:00:00',
    '2017-01-16T11:30:00+24',
    '2017-01-16T11:30:00+01:60',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
  ])('%s is not in the calendar', (text) => {
    expect(parseDateTime(text)).toBe('calendar');
  });

  it.each(['2016-02-29T00:00:00', '0001-01-01T00:00:00', '9999-12-31T23:59:59'])('%s is in the calendar', (wall) => {
    expect(parseDateTime(wall)).toEqual({ wall });
  });
});

describe('clocks', () => {
  it.each([
    // site America/New_York: date, then date_gmt, then an instant
    ['2016-12-12T14:00:00', undefined, 'America/New_York', '2016-12-12T19:00:00'],
    ['2016-12-12T19:00:00', undefined, 'UTC', '2016-12-12T19:00:00'],
    ['2016-12-12T18:00:00', -60, 'America/New_York', '2016-12-12T19:00:00'],
    ['2016-12-12T18:00:00', -60, 'UTC', '2016-12-12T19:00:00'],
    ['2016-07-12T14:00:00', undefined, 'America/New_York', '2016-07-12T18:00:00'],
    ['2024-03-31T01:59:59', undefined, 'Europe/Berlin', '2024-03-31T00:59:59'],
    ['2024-03-31T03:00:00', undefined, 'Europe/Berlin', '2024-03-31T01:00:00'],
    ['2024-10-27T03:00:00', undefined, 'Europe/Berlin', '2024-10-27T02:00:00'],
    ['2024-01-01T00:00:00', undefined, '+05:30', '2023-12-31T18:30:00'],
    ['2024-01-01T00:00:00', undefined, '-3.5', '2024-01-01T03:30:00'],
    ['2024-01-01T00:00:00', undefined, 'Asia/Kathmandu', '2023-12-31T18:15:00'],
  ])('%s %s in %s is %s UTC', (wall, offset, zone, utc) => {
    expect(toUtc(wall, offset, zone)).toBe(utc);
    if (offset === undefined) expect(toWall(utc, zone)).toBe(wall);
  });

  it('convert an instant to the time of the site', () => {
    expect(toWall('2016-12-12T19:00:00', 'America/New_York')).toBe('2016-12-12T14:00:00');
  });

  it('use the second of two equal local times, and move a skipped one forward', () => {
    expect(toUtc('2024-10-27T02:30:00', undefined, 'Europe/Berlin')).toBe('2024-10-27T01:30:00');
    expect(toUtc('2024-03-31T02:30:00', undefined, 'Europe/Berlin')).toBe('2024-03-31T01:30:00');
    expect(toUtc('2016-03-13T02:30:00', undefined, 'America/New_York')).toBe('2016-03-13T07:30:00');
  });

  it('know which time zones exist', () => {
    expect(['UTC', 'Europe/Berlin', '+02:00', '-3.5', '0', 'UTC+3'].filter((zone) => !isZone(zone))).toEqual([]);
    expect(['', 'Mars/Base', 'Europe', 'x+1'].filter(isZone)).toEqual([]);
    expect(() => toUtc(NOON, undefined, 'Mars/Base')).toThrow('Mars/Base');
  });

  it('convert to the same instant from every time zone', () => {
    const zone = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      '+05:45',
    );
    const moment = fc.date({ min: new Date('1971-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(zone, moment, (name, date) => {
        const wall = toWall(date.toISOString().slice(0, 19), name);
        expect(toWall(toUtc(wall, undefined, name), name)).toBe(wall);
      }),
    );
  });

  it('parse any text without exceptions', () => {
    fc.assert(fc.property(anyText(), (text) => parseDateTime(text) !== undefined));
  });
});
