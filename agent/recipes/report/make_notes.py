"""What is to be known about the data: how it was read, and what is missing or odd in it."""


def notes(story):
    words, table = story.words, story.table
    add = story.quality.append
    rows, total = len(table.cells), len(table.cells) * len(table.columns)
    missing = [c for c in table.columns if c.missing]
    add(
        words.say(
            f"{rows:,} rows and {len(table.columns)} columns were read ({table.source}).",
            f"共读取 {rows:,} 行、{len(table.columns)} 列（{table.source}）。",
        )
    )
    if missing:
        worst = sorted(missing, key=lambda c: -c.missing)[:4]
        listed = words.say(", ", "、").join(
            f"{c.name} {c.missing:,} ({words.percent(c.missing / rows)})" for c in worst
        )
        cells = sum(c.missing for c in missing)
        add(
            words.say(
                f"{cells:,} of {total:,} cells are missing or unusable: {listed}. "
                "They are left out of every figure, not filled in.",
                f"{total:,} 个单元格中有 {cells:,} 个缺失或不可用：{listed}。"
                "统计时跳过，未作填补。",
            )
        )
    else:
        add(words.say("No cell is missing.", "没有缺失值。"))
    for column in table.columns:
        if column.odd:
            kinds = {"number": ("a number", "数字"), "date": ("a date", "日期")}[column.kind]
            seen = words.say(", ", "、").join(f"“{o[:24]}”" for o in dict.fromkeys(column.odd[:3]))
            add(
                words.say(
                    f"{column.name}: {len(column.odd)} cells are not {kinds[0]}, e.g. {seen}.",
                    f"{column.name}：{len(column.odd)} 个单元格不是{kinds[1]}，如 {seen}。",
                )
            )
    if table.duplicates:
        add(
            words.say(
                f"{table.duplicates:,} rows repeat an earlier row exactly; they are counted.",
                f"有 {table.duplicates:,} 行与之前的行完全相同，仍计入统计。",
            )
        )
    if table.ragged:
        add(
            words.say(
                f"{table.ragged:,} rows have more or fewer cells than the header.",
                f"有 {table.ragged:,} 行的单元格数与表头不一致。",
            )
        )
