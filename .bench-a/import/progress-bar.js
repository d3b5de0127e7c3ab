export class ProgressBar {
    stream;
    label;
    last = -1;
    drawn = false;
    constructor(stream, label) {
        this.stream = stream;
        this.label = label;
    }
    /** Draws anew when a whole percent has passed. */
    update(done, total) {
        if (!this.stream.isTTY)
            return;
        const percent = total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 100;
        if (percent === this.last)
            return;
        this.last = percent;
        this.drawn = true;
        const width = Math.max(10, Math.min(40, (this.stream.columns ?? 80) - this.label.length - 10));
        const filled = Math.round((percent / 100) * width);
        this.stream.write(`\r${this.label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${String(percent).padStart(3)}%`);
    }
    /** Wipes the bar, so that what follows begins on a clean line. */
    end() {
        if (this.drawn)
            this.stream.write('\r\x1b[2K');
        this.drawn = false;
        this.last = -1;
    }
}
//# sourceMappingURL=progress-bar.js.map