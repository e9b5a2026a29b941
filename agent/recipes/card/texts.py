"""What a card says when the request does not: headings and wishes by occasion, in two languages."""

from __future__ import annotations

from agent.recipes.request import Lang

HEADINGS: dict[str, dict[Lang, str]] = {
    "birthday": {"en": "Happy Birthday", "zh": "生日快乐"},
    "wedding": {"en": "Congratulations", "zh": "新婚快乐"},
    "anniversary": {"en": "Happy Anniversary", "zh": "周年快乐"},
    "spring": {"en": "Happy Lunar New Year", "zh": "新春快乐"},
    "newyear": {"en": "Happy New Year", "zh": "新年快乐"},
    "christmas": {"en": "Merry Christmas", "zh": "圣诞快乐"},
    "moon": {"en": "Happy Mid-Autumn", "zh": "中秋快乐"},
    "thanks": {"en": "Thank You", "zh": "谢谢你"},
    "baby": {"en": "Welcome, Little One", "zh": "欢迎小宝贝"},
    "home": {"en": "Happy New Home", "zh": "乔迁之喜"},
    "graduation": {"en": "Well Done, Graduate", "zh": "毕业快乐"},
    "love": {"en": "With All My Love", "zh": "爱你每一天"},
    "mother": {"en": "Happy Mother’s Day", "zh": "母亲节快乐"},
    "father": {"en": "Happy Father’s Day", "zh": "父亲节快乐"},
    "teacher": {"en": "Thank You, Teacher", "zh": "老师，您辛苦了"},
    "well": {"en": "Get Well Soon", "zh": "早日康复"},
    "farewell": {"en": "Farewell & Good Luck", "zh": "一路顺风"},
    "party": {"en": "Let’s Celebrate", "zh": "一起庆祝"},
    "greeting": {"en": "Thinking of You", "zh": "祝一切都好"},
}

WISHES: dict[str, dict[Lang, tuple[str, ...]]] = {
    "birthday": {
        "en": (
            "May this day bring you good company, something sweet, and a wish worth keeping.",
            "Another year of stories, laughter and small adventures. Here’s to what comes next.",
            "May the year ahead be kind to you, and full of the things you love.",
        ),
        "zh": (
            "愿你眼里有光，心里有爱，新的一岁，所遇皆美好。",
            "愿新的一岁，平安喜乐，万事顺意，每一天都值得庆祝。",
            "愿所有的美好，都如约而至；愿每一个愿望，都开出花来。",
        ),
    },
    "wedding": {
        "en": ("Wishing you a lifetime of love, laughter and quiet mornings together.",),
        "zh": (
            "愿你们执子之手，与子偕老；岁岁年年，相知相伴。",
            "良缘永结，佳偶天成。愿往后余生，皆是幸福。",
        ),
    },
    "anniversary": {
        "en": ("Here’s to the years behind you, and to every one that is still to come.",),
        "zh": ("岁月流转，爱意如初。愿你们相伴走过每一个春夏秋冬。",),
    },
    "spring": {
        "en": ("May the new year bring you health, happiness and good fortune.",),
        "zh": (
            "愿新的一年，山河无恙，家人安康，万事胜意，喜乐常在。",
            "爆竹声中辞旧岁，春风送暖入屠苏。愿您阖家幸福，吉祥如意。",
        ),
    },
    "newyear": {
        "en": ("May the year ahead be bright, peaceful and full of good surprises.",),
        "zh": ("愿新的一年，所念皆如愿，所行皆坦途。",),
    },
    "christmas": {
        "en": ("May your days be warm, your table full, and your heart light this Christmas.",),
        "zh": ("愿这个冬天，灯火可亲，心中有暖，平安喜乐。",),
    },
    "moon": {
        "en": ("The same bright moon shines on us all. Wishing you a joyful Mid-Autumn Festival.",),
        "zh": ("但愿人长久，千里共婵娟。愿您月圆人圆，阖家安康。",),
    },
    "thanks": {
        "en": (
            "Your kindness meant more than these few words can say. Thank you, from the heart.",
            "For your time, your help and your good heart: thank you.",
        ),
        "zh": ("感谢你的善意与陪伴，点点滴滴，我都记在心里。", "谢谢你在我需要的时候，一直都在。"),
    },
    "baby": {
        "en": ("Ten tiny fingers, ten tiny toes, and a whole world of love to grow in.",),
        "zh": ("愿小小的你，平安健康，慢慢长大，被爱环绕。",),
    },
    "home": {
        "en": ("May these rooms fill with laughter, good food and happy memories.",),
        "zh": ("新居落成，福气临门。愿这里灯火温暖，笑语常在。",),
    },
    "graduation": {
        "en": ("You worked for this day. May the road ahead be as bright as you are.",),
        "zh": ("愿你前程似锦，归来仍是少年。",),
    },
    "love": {
        "en": ("Of all the places in the world, my favourite is next to you.",),
        "zh": ("世间美好很多，而我最喜欢的，是有你的日子。",),
    },
    "mother": {
        "en": (
            "For every quiet thing you did and every loud one you forgave: thank you, with love.",
        ),
        "zh": ("谢谢您把最好的时光给了我。愿您健康平安，笑口常开。",),
    },
    "father": {
        "en": ("For steady hands, good advice and bad jokes: thank you, with love.",),
        "zh": ("您的肩膀，是我最早看世界的地方。愿您健康快乐，一切顺心。",),
    },
    "teacher": {
        "en": ("You gave us more than lessons. Thank you for your patience and your care.",),
        "zh": ("春风化雨，润物无声。感谢您的教诲与陪伴。",),
    },
    "well": {
        "en": ("Rest well, take your time, and know that you are in our thoughts.",),
        "zh": ("好好休息，慢慢恢复。我们都在等你，愿你早日康复。",),
    },
    "farewell": {
        "en": ("Thank you for everything. May new places be good to you.",),
        "zh": ("此去山高水长，愿你一路顺风，前程似锦，我们后会有期。",),
    },
    "party": {
        "en": ("Good friends, good music and a reason to smile.",),
        "zh": ("有好友，有欢笑，一起把这一天过成最好的样子。",),
    },
    "greeting": {
        "en": ("Just a few words to say that you are thought of, today and every day.",),
        "zh": ("见字如面。愿你平安喜乐，一切都好。",),
    },
}

INTROS = {
    "wedding": {
        "en": "Together with their families\nthey invite you to the wedding of",
        "zh": "谨定于良辰吉日举行婚礼\n诚邀您共同见证",
    },
    "party": {"en": "You’re invited to", "zh": "诚邀您参加"},
}
CLOSINGS = {"en": "We would love to see you there", "zh": "恭候光临"}
LABELS = {
    "to": {"en": "Dear {},", "zh": "亲爱的{}："},
    "from": {"en": "With love, {}", "zh": "{} 敬上"},
}
EVENTS: dict[str, dict[Lang, str]] = {
    "wedding": {"en": "Our Wedding", "zh": "婚礼"},
    "anniversary": {"en": "Our Anniversary", "zh": "纪念日晚宴"},
    "birthday": {"en": "A Birthday Party", "zh": "生日派对"},
    "spring": {"en": "Lunar New Year Dinner", "zh": "新春聚会"},
    "newyear": {"en": "New Year’s Party", "zh": "新年聚会"},
    "christmas": {"en": "Christmas Party", "zh": "圣诞派对"},
    "moon": {"en": "Mid-Autumn Evening", "zh": "中秋雅集"},
    "baby": {"en": "A Party for the Baby", "zh": "宝宝满月宴"},
    "home": {"en": "Housewarming Party", "zh": "乔迁宴"},
    "graduation": {"en": "Graduation Party", "zh": "毕业派对"},
    "farewell": {"en": "Farewell Party", "zh": "欢送会"},
    "thanks": {"en": "An Evening of Thanks", "zh": "答谢晚宴"},
    "party": {"en": "A Party", "zh": "聚会"},
}
"""What an invitation invites to when the request does not name it."""

SIGNS = {"wedding": "囍", "anniversary": "囍", "baby": "喜"}
"""The large character of a red-and-gold card."""
