"""Well-known sights of big cities, since the offline gazetteer knows only cities.

A line starting with `#` opens a city: its English and Chinese name. Every other line is a sight:
English names, Chinese names (each separated by `/`, the first is the usual one), latitude and
longitude in degrees, good to about 300 m.
"""

SIGHTS = """
# Beijing|北京
Forbidden City/Palace Museum/The Palace Museum|故宫/故宫博物院/紫禁城|39.9163|116.3972
Tiananmen Square/Tiananmen|天安门广场/天安门|39.9055|116.3976
Temple of Heaven|天坛/天坛公园|39.8822|116.4066
Summer Palace|颐和园|39.9999|116.2755
Jingshan Park|景山公园/景山|39.9251|116.3967
Beihai Park|北海公园/北海|39.9255|116.3890
Lama Temple/Yonghe Temple|雍和宫|39.9475|116.4173
Nanluoguxiang|南锣鼓巷|39.9370|116.4032
Shichahai/Houhai|什刹海/后海|39.9416|116.3866
National Museum of China|国家博物馆/中国国家博物馆|39.9051|116.4016
Old Summer Palace|圆明园|40.0080|116.2983
Badaling Great Wall/Great Wall/The Great Wall|八达岭长城/八达岭/长城|40.3564|116.0168
Mutianyu Great Wall/Mutianyu|慕田峪长城/慕田峪|40.4379|116.5704
Ming Tombs|明十三陵/十三陵|40.2531|116.2217
Bird's Nest/National Stadium|鸟巢/国家体育场|39.9929|116.3965
798 Art District/798 Art Zone|798艺术区/798|39.9842|116.4951
Wangfujing|王府井|39.9139|116.4116
Qianmen Street/Qianmen|前门大街/前门|39.8971|116.3979
Confucius Temple and Imperial College|国子监|39.9465|116.4133
Prince Gong's Mansion|恭王府|39.9371|116.3861
# Shanghai|上海
The Bund|外滩|31.2400|121.4903
Yu Garden|豫园|31.2272|121.4921
Oriental Pearl Tower|东方明珠|31.2397|121.4998
Shanghai Tower|上海中心大厦/上海中心|31.2335|121.5055
Nanjing Road/East Nanjing Road|南京路步行街/南京路/南京东路|31.2363|121.4797
Shanghai Museum|上海博物馆|31.2303|121.4757
People's Square|人民广场|31.2316|121.4733
Xintiandi|新天地|31.2197|121.4752
Tianzifang|田子坊|31.2106|121.4690
Wukang Road/Wukang Mansion|武康路/武康大楼|31.2045|121.4389
Jing'an Temple|静安寺|31.2234|121.4453
Shanghai Disneyland/Shanghai Disney Resort|上海迪士尼/迪士尼乐园/上海迪士尼乐园|31.1443|121.6570
Zhujiajiao|朱家角|31.1098|121.0533
# Xi'an|西安
Terracotta Army/Terracotta Warriors|兵马俑/秦始皇兵马俑|34.3841|109.2785
Xi'an City Wall/City Wall|西安城墙/城墙|34.2511|108.9471
Bell Tower|钟楼/西安钟楼|34.2610|108.9423
Drum Tower|鼓楼/西安鼓楼|34.2618|108.9395
Muslim Quarter|回民街|34.2637|108.9387
Giant Wild Goose Pagoda|大雁塔|34.2198|108.9593
Small Wild Goose Pagoda|小雁塔|34.2405|108.9370
Shaanxi History Museum|陕西历史博物馆|34.2245|108.9504
Datang Everbright City|大唐不夜城|34.2113|108.9597
Huaqing Palace|华清宫/华清池|34.3636|109.2126
Mount Hua|华山|34.4780|110.0819
# Hangzhou|杭州
West Lake|西湖|30.2460|120.1410
Broken Bridge|断桥/断桥残雪|30.2592|120.1462
Leifeng Pagoda|雷峰塔|30.2314|120.1443
Lingyin Temple|灵隐寺|30.2408|120.0970
Su Causeway|苏堤|30.2430|120.1323
Hefang Street|河坊街|30.2406|120.1670
Xixi Wetland|西溪湿地|30.2670|120.0590
Longjing Village|龙井村|30.2236|120.1080
Grand Canal at Gongchen Bridge/Gongchen Bridge|拱宸桥|30.3195|120.1352
# Suzhou|苏州
Humble Administrator's Garden|拙政园|31.3249|120.6253
Suzhou Museum|苏州博物馆|31.3236|120.6232
Lingering Garden|留园|31.3167|120.5925
Tiger Hill|虎丘|31.3360|120.5767
Pingjiang Road|平江路|31.3158|120.6307
Shantang Street|山塘街|31.3172|120.5985
Lion Grove Garden|狮子林|31.3224|120.6247
Zhouzhuang|周庄|31.1159|120.8455
# Nanjing|南京
Sun Yat-sen Mausoleum|中山陵|32.0642|118.8482
Ming Xiaoling Mausoleum|明孝陵|32.0583|118.8340
Confucius Temple (Nanjing)/Fuzimiao|夫子庙/秦淮河|32.0213|118.7836
Presidential Palace (Nanjing)|总统府|32.0453|118.7920
Xuanwu Lake|玄武湖|32.0720|118.7950
Nanjing Museum|南京博物院|32.0414|118.8208
Laomendong|老门东|32.0130|118.7850
# Chengdu|成都
Chengdu Panda Base/Panda Base|大熊猫基地/成都大熊猫繁育研究基地/熊猫基地|30.7347|104.1448
Kuanzhai Alley|宽窄巷子|30.6697|104.0530
Jinli|锦里|30.6452|104.0490
Wuhou Shrine|武侯祠|30.6464|104.0480
Du Fu Thatched Cottage|杜甫草堂|30.6600|104.0287
Wenshu Monastery|文殊院|30.6750|104.0728
People's Park (Chengdu)|人民公园|30.6577|104.0567
Chunxi Road|春熙路|30.6560|104.0790
Dujiangyan|都江堰|31.0020|103.6110
Mount Qingcheng|青城山|30.8990|103.5650
# Chongqing|重庆
Hongyadong|洪崖洞|29.5620|106.5787
Jiefangbei|解放碑|29.5570|106.5773
Ciqikou|磁器口|29.5795|106.4500
Liziba Station|李子坝|29.5535|106.5370
Chaotianmen|朝天门|29.5683|106.5870
Yangtze River Cableway|长江索道|29.5568|106.5872
# Guangzhou|广州
Canton Tower|广州塔/小蛮腰|23.1064|113.3245
Chen Clan Ancestral Hall|陈家祠|23.1257|113.2448
Shamian Island|沙面|23.1074|113.2440
Beijing Road|北京路|23.1231|113.2706
Baiyun Mountain|白云山|23.1840|113.3010
Yuexiu Park|越秀公园|23.1400|113.2660
# Hong Kong|香港
Victoria Peak/The Peak|太平山顶/太平山|22.2713|114.1497
Star Ferry Pier|天星码头|22.2937|114.1687
Avenue of Stars|星光大道|22.2930|114.1740
Temple Street|庙街|22.3063|114.1699
Man Mo Temple|文武庙|22.2840|114.1502
Tian Tan Buddha/Big Buddha|天坛大佛|22.2540|113.9050
Wong Tai Sin Temple|黄大仙祠/黄大仙|22.3427|114.1937
Hong Kong Disneyland|香港迪士尼|22.3130|114.0413
Hong Kong Palace Museum|香港故宫文化博物馆|22.3018|114.1555
# Macau|澳门
Ruins of St Paul's|大三巴/大三巴牌坊|22.1976|113.5409
Senado Square|议事亭前地|22.1936|113.5399
A-Ma Temple|妈阁庙|22.1860|113.5312
# Taipei|台北
Taipei 101|台北101|25.0337|121.5645
National Palace Museum|台北故宫/台北故宫博物院|25.1024|121.5485
Chiang Kai-shek Memorial Hall|中正纪念堂|25.0346|121.5218
Ximending|西门町|25.0421|121.5080
Longshan Temple|龙山寺|25.0369|121.4999
Shilin Night Market|士林夜市|25.0880|121.5240
# Tokyo|东京
Sensō-ji/Senso-ji/Asakusa|浅草寺/浅草|35.7148|139.7967
Tokyo Skytree/Skytree|晴空塔/东京晴空塔|35.7101|139.8107
Tokyo National Museum|东京国立博物馆|35.7188|139.7765
Ueno Park/Ueno|上野公园/上野|35.7156|139.7733
Ameyoko|阿美横町/阿美横丁|35.7098|139.7747
Imperial Palace East Gardens/Imperial Palace|皇居/皇居东御苑|35.6860|139.7566
Ginza|银座|35.6717|139.7650
Tsukiji Outer Market/Tsukiji Market/Tsukiji|筑地市场/筑地|35.6654|139.7707
Tokyo Tower|东京塔|35.6586|139.7454
Meiji Jingū/Meiji Shrine/Meiji Jingu|明治神宫|35.6764|139.6993
Harajuku/Takeshita Street|原宿/竹下通|35.6710|139.7049
Shibuya Crossing/Shibuya|涩谷十字路口/涩谷|35.6595|139.7005
Shinjuku Gyoen|新宿御苑|35.6852|139.7101
Tokyo Metropolitan Government Building|东京都厅|35.6896|139.6917
Odaiba|台场|35.6275|139.7769
Akihabara|秋叶原|35.6984|139.7730
Tokyo Station|东京站|35.6812|139.7671
Hama-rikyū Gardens/Hamarikyu Gardens|浜离宫/滨离宫恩赐庭园|35.6597|139.7634
# Kyoto|京都
Fushimi Inari Taisha/Fushimi Inari|伏见稻荷大社/伏见稻荷|34.9671|135.7727
Kiyomizu-dera|清水寺|34.9949|135.7850
Kinkaku-ji/Golden Pavilion|金阁寺|35.0394|135.7292
Ginkaku-ji/Silver Pavilion|银阁寺|35.0270|135.7982
Gion|祇园|35.0037|135.7750
Nijō Castle/Nijo Castle|二条城|35.0142|135.7481
Nishiki Market|锦市场|35.0050|135.7649
Arashiyama Bamboo Grove/Arashiyama|岚山/岚山竹林|35.0170|135.6716
Philosopher's Path|哲学之道|35.0230|135.7945
Ryōan-ji/Ryoan-ji|龙安寺|35.0345|135.7182
Kyoto Imperial Palace|京都御所|35.0254|135.7621
Yasaka Shrine|八坂神社|35.0037|135.7785
# Osaka|大阪
Osaka Castle|大阪城|34.6873|135.5262
Dōtonbori/Dotonbori|道顿堀|34.6687|135.5013
Shinsekai|新世界|34.6524|135.5063
Sumiyoshi Taisha|住吉大社|34.6126|135.4930
Universal Studios Japan|日本环球影城/大阪环球影城|34.6654|135.4323
Osaka Aquarium Kaiyukan|海游馆|34.6545|135.4290
Umeda Sky Building|梅田蓝天大厦|34.7053|135.4903
# Nara|奈良
Nara Park|奈良公园|34.6851|135.8430
Tōdai-ji/Todai-ji|东大寺|34.6890|135.8398
# Seoul|首尔
Gyeongbokgung|景福宫|37.5796|126.9770
Bukchon Hanok Village|北村韩屋村|37.5826|126.9831
Changdeokgung|昌德宫|37.5794|126.9910
Myeongdong|明洞|37.5636|126.9850
N Seoul Tower|首尔塔/南山塔|37.5512|126.9882
Insadong|仁寺洞|37.5740|126.9850
Dongdaemun Design Plaza|东大门设计广场/东大门|37.5665|127.0092
Gwangjang Market|广藏市场|37.5701|126.9996
Hongdae|弘大|37.5563|126.9236
# Singapore|新加坡
Marina Bay Sands|滨海湾金沙|1.2834|103.8607
Gardens by the Bay|滨海湾花园|1.2816|103.8636
Merlion Park|鱼尾狮公园/鱼尾狮|1.2868|103.8545
Chinatown|牛车水|1.2838|103.8443
Little India|小印度|1.3066|103.8518
Singapore Botanic Gardens|新加坡植物园|1.3138|103.8159
Sentosa|圣淘沙|1.2494|103.8303
National Gallery Singapore|新加坡国家美术馆|1.2902|103.8515
# Bangkok|曼谷
Grand Palace|大皇宫|13.7500|100.4913
Wat Pho|卧佛寺|13.7465|100.4930
Wat Arun|郑王庙/黎明寺|13.7437|100.4889
Chatuchak Market|恰图恰市场/乍都乍周末市场|13.7999|100.5502
Jim Thompson House|金汤普森之家|13.7492|100.5283
Khao San Road|考山路|13.7588|100.4972
# Dubai|迪拜
Burj Khalifa|哈利法塔|25.1972|55.2744
Dubai Mall|迪拜购物中心|25.1985|55.2796
Burj Al Arab|帆船酒店|25.1412|55.1853
Palm Jumeirah|棕榈岛|25.1124|55.1390
# Paris|巴黎
Eiffel Tower|埃菲尔铁塔|48.8584|2.2945
Louvre/Louvre Museum/The Louvre|卢浮宫|48.8606|2.3376
Notre-Dame/Notre-Dame de Paris/Notre Dame|巴黎圣母院|48.8530|2.3499
Musée d'Orsay/Orsay Museum|奥赛博物馆|48.8600|2.3266
Arc de Triomphe|凯旋门|48.8738|2.2950
Sacré-Cœur/Sacre-Coeur/Montmartre|圣心大教堂/蒙马特/圣心堂|48.8867|2.3431
Luxembourg Gardens|卢森堡公园|48.8462|2.3372
Panthéon|先贤祠|48.8462|2.3464
Centre Pompidou|蓬皮杜中心|48.8607|2.3522
Sainte-Chapelle|圣礼拜堂|48.8554|2.3450
Place des Vosges|孚日广场|48.8555|2.3656
Champs-Élysées|香榭丽舍大街|48.8698|2.3078
Palais Garnier|巴黎歌剧院/加尼叶歌剧院|48.8720|2.3316
Palace of Versailles/Versailles|凡尔赛宫|48.8049|2.1204
# London|伦敦
British Museum|大英博物馆|51.5194|-0.1270
Tower of London|伦敦塔|51.5081|-0.0759
Tower Bridge|塔桥/伦敦塔桥|51.5055|-0.0754
Big Ben/Palace of Westminster|大本钟|51.5007|-0.1246
Westminster Abbey|威斯敏斯特教堂|51.4994|-0.1273
Buckingham Palace|白金汉宫|51.5014|-0.1419
London Eye|伦敦眼|51.5033|-0.1196
St Paul's Cathedral|圣保罗大教堂|51.5138|-0.0984
Tate Modern|泰特现代美术馆|51.5076|-0.0994
National Gallery|国家美术馆|51.5089|-0.1283
Covent Garden|科文特花园|51.5117|-0.1240
Hyde Park|海德公园|51.5073|-0.1657
Victoria and Albert Museum|维多利亚与阿尔伯特博物馆|51.4966|-0.1722
Borough Market|博罗市场|51.5055|-0.0910
Camden Market|卡姆登市场|51.5415|-0.1466
Greenwich Observatory|格林尼治天文台|51.4769|-0.0005
# Edinburgh|爱丁堡
Edinburgh Castle|爱丁堡城堡|55.9486|-3.1999
Arthur's Seat|亚瑟王座|55.9441|-3.1618
Holyrood Palace|荷里路德宫|55.9527|-3.1723
Royal Mile|皇家一英里|55.9503|-3.1877
# Rome|罗马
Colosseum|斗兽场/罗马斗兽场|41.8902|12.4922
Roman Forum|古罗马广场|41.8925|12.4853
Pantheon|万神殿|41.8986|12.4769
Trevi Fountain|许愿池/特雷维喷泉|41.9009|12.4833
Spanish Steps|西班牙阶梯|41.9060|12.4828
Piazza Navona|纳沃纳广场|41.8992|12.4731
Castel Sant'Angelo|圣天使堡|41.9031|12.4663
St Peter's Basilica|圣彼得大教堂|41.9022|12.4539
Vatican Museums|梵蒂冈博物馆|41.9065|12.4536
Borghese Gallery|博尔盖塞美术馆|41.9142|12.4921
Trastevere|特拉斯提弗列|41.8897|12.4694
# Florence|佛罗伦萨
Florence Cathedral/Duomo|圣母百花大教堂|43.7731|11.2560
Uffizi/Uffizi Gallery|乌菲兹美术馆|43.7678|11.2553
Ponte Vecchio|老桥|43.7680|11.2531
Piazzale Michelangelo|米开朗基罗广场|43.7629|11.2650
Accademia Gallery|学院美术馆|43.7769|11.2588
# Venice|威尼斯
St Mark's Square|圣马可广场|45.4341|12.3385
Rialto Bridge|里亚托桥|45.4380|12.3359
Doge's Palace|总督宫|45.4337|12.3404
# Barcelona|巴塞罗那
Sagrada Família/Sagrada Familia|圣家堂|41.4036|2.1744
Park Güell/Park Guell|古埃尔公园|41.4145|2.1527
Casa Batlló|巴特罗之家|41.3917|2.1649
La Pedrera/Casa Milà|米拉之家|41.3954|2.1619
La Rambla|兰布拉大道|41.3809|2.1734
Gothic Quarter|哥特区|41.3833|2.1763
Montjuïc Castle|蒙特惠奇城堡|41.3633|2.1660
Barceloneta Beach|巴塞罗内塔海滩|41.3784|2.1925
# Madrid|马德里
Prado Museum|普拉多博物馆|40.4138|-3.6921
Royal Palace of Madrid|马德里王宫|40.4180|-3.7143
Plaza Mayor|马约尔广场|40.4155|-3.7074
Retiro Park|丽池公园|40.4153|-3.6845
# Lisbon|里斯本
Belém Tower/Belem Tower|贝伦塔|38.6916|-9.2160
Jerónimos Monastery/Jeronimos Monastery|热罗尼莫斯修道院|38.6979|-9.2061
São Jorge Castle|圣若热城堡|38.7139|-9.1335
Praça do Comércio|商业广场|38.7075|-9.1364
Alfama|阿尔法玛|38.7118|-9.1300
Pena Palace|佩纳宫|38.7876|-9.3906
Cabo da Roca|罗卡角|38.7804|-9.4989
# Amsterdam|阿姆斯特丹
Rijksmuseum|荷兰国立博物馆|52.3600|4.8852
Van Gogh Museum|梵高博物馆|52.3584|4.8811
Anne Frank House|安妮之家|52.3752|4.8840
Dam Square|水坝广场|52.3731|4.8926
Vondelpark|冯德尔公园|52.3580|4.8686
# Berlin|柏林
Brandenburg Gate|勃兰登堡门|52.5163|13.3777
Reichstag|国会大厦|52.5186|13.3762
Museum Island|博物馆岛|52.5169|13.4019
East Side Gallery|东边画廊|52.5050|13.4397
Checkpoint Charlie|查理检查站|52.5075|13.3904
Berlin Cathedral|柏林大教堂|52.5191|13.4010
Alexanderplatz|亚历山大广场|52.5219|13.4132
# Vienna|维也纳
Schönbrunn Palace/Schonbrunn Palace|美泉宫|48.1845|16.3122
St Stephen's Cathedral|圣斯蒂芬大教堂|48.2085|16.3731
Hofburg|霍夫堡宫|48.2066|16.3655
Belvedere|美景宫|48.1915|16.3809
Vienna State Opera|维也纳国家歌剧院|48.2029|16.3690
# Prague|布拉格
Charles Bridge|查理大桥|50.0865|14.4114
Prague Castle|布拉格城堡|50.0909|14.4005
Old Town Square|老城广场|50.0870|14.4208
# Budapest|布达佩斯
Hungarian Parliament|匈牙利国会大厦|47.5071|19.0457
Buda Castle|布达城堡|47.4962|19.0396
Fisherman's Bastion|渔人堡|47.5022|19.0348
Széchenyi Baths|塞切尼温泉浴场|47.5187|19.0819
# Athens|雅典
Acropolis/Parthenon|雅典卫城/卫城/帕特农神庙|37.9715|23.7267
Acropolis Museum|卫城博物馆|37.9684|23.7285
Ancient Agora|古市集|37.9747|23.7221
Plaka|普拉卡|37.9727|23.7305
# Istanbul|伊斯坦布尔
Hagia Sophia|圣索菲亚大教堂|41.0086|28.9802
Blue Mosque|蓝色清真寺|41.0054|28.9768
Topkapı Palace/Topkapi Palace|托普卡帕宫|41.0115|28.9833
Grand Bazaar|大巴扎|41.0106|28.9681
Galata Tower|加拉太塔|41.0256|28.9742
Basilica Cistern|地下水宫|41.0084|28.9779
# Cairo|开罗
Pyramids of Giza/Great Pyramid|吉萨金字塔/金字塔|29.9773|31.1325
Egyptian Museum|埃及博物馆|30.0478|31.2336
# New York|纽约
Statue of Liberty|自由女神像|40.6892|-74.0445
Empire State Building|帝国大厦|40.7484|-73.9857
Times Square|时代广场|40.7580|-73.9855
Central Park|中央公园|40.7812|-73.9665
Metropolitan Museum of Art|大都会艺术博物馆|40.7794|-73.9632
MoMA/Museum of Modern Art|现代艺术博物馆|40.7614|-73.9776
Brooklyn Bridge|布鲁克林大桥|40.7061|-73.9969
High Line|高线公园|40.7480|-74.0048
9/11 Memorial|911纪念馆|40.7115|-74.0134
Grand Central Terminal|大中央车站|40.7527|-73.9772
American Museum of Natural History|美国自然历史博物馆|40.7813|-73.9740
# Washington|华盛顿
Lincoln Memorial|林肯纪念堂|38.8893|-77.0502
US Capitol/Capitol|国会山|38.8899|-77.0091
White House|白宫|38.8977|-77.0365
National Air and Space Museum|国家航空航天博物馆|38.8882|-77.0199
# San Francisco|旧金山
Golden Gate Bridge|金门大桥|37.8199|-122.4783
Alcatraz|恶魔岛|37.8270|-122.4230
Fisherman's Wharf|渔人码头|37.8080|-122.4177
Lombard Street|九曲花街|37.8021|-122.4187
Ferry Building|渡轮大厦|37.7955|-122.3937
Golden Gate Park|金门公园|37.7694|-122.4862
# Los Angeles|洛杉矶
Griffith Observatory|格里菲斯天文台|34.1184|-118.3004
Hollywood Walk of Fame|好莱坞星光大道|34.1016|-118.3267
Santa Monica Pier|圣莫尼卡码头|34.0094|-118.4973
Getty Center|盖蒂中心|34.0780|-118.4741
# Sydney|悉尼
Sydney Opera House|悉尼歌剧院|-33.8568|151.2153
Harbour Bridge/Sydney Harbour Bridge|悉尼海港大桥|-33.8523|151.2108
Bondi Beach|邦迪海滩|-33.8908|151.2743
Royal Botanic Garden Sydney|悉尼皇家植物园|-33.8642|151.2166
Darling Harbour|达令港|-33.8723|151.1990
# Oslo|奥斯陆
Oslo Opera House|奥斯陆歌剧院|59.9075|10.7531
Munch Museum/MUNCH|蒙克博物馆|59.9059|10.7554
Vigeland Park/Vigeland Sculpture Park/Frogner Park|维格兰雕塑公园|59.9270|10.7008
Akershus Fortress|阿克斯胡斯城堡|59.9076|10.7360
Royal Palace Oslo|奥斯陆王宫|59.9169|10.7276
Fram Museum|弗拉姆号博物馆|59.9033|10.6996
Holmenkollen|霍尔门科伦滑雪跳台|59.9640|10.6668
# Bergen|卑尔根
Bryggen|布吕根|60.3975|5.3244
Fløibanen/Floibanen|弗洛伊恩缆车|60.3964|5.3286
Bergen Fish Market|卑尔根鱼市|60.3949|5.3250
Bergenhus Fortress|卑尔根胡斯要塞|60.4005|5.3189
# Copenhagen|哥本哈根
Nyhavn|新港|55.6797|12.5910
Little Mermaid|小美人鱼|55.6929|12.5993
Tivoli Gardens|趣伏里公园|55.6737|12.5681
Rosenborg Castle|罗森堡宫|55.6858|12.5773
# Stockholm|斯德哥尔摩
Gamla Stan|老城|59.3251|18.0711
Vasa Museum|瓦萨博物馆|59.3280|18.0914
Skansen|斯堪森|59.3270|18.1037
Stockholm City Hall|斯德哥尔摩市政厅|59.3275|18.0544
# Lijiang|丽江
Lijiang Old Town|丽江古城|26.8755|100.2341
Jade Dragon Snow Mountain|玉龙雪山|27.0980|100.1750
# Dali|大理
Dali Old Town|大理古城|25.6950|100.1610
Erhai Lake|洱海|25.8000|100.1900
# Guilin|桂林
Elephant Trunk Hill|象鼻山|25.2670|110.2960
Yangshuo West Street|阳朔西街/阳朔|24.7780|110.4960
# Xiamen|厦门
Gulangyu|鼓浪屿|24.4475|118.0670
Xiamen University|厦门大学|24.4370|118.0970
# Lhasa|拉萨
Potala Palace|布达拉宫|29.6578|91.1170
Jokhang Temple|大昭寺|29.6530|91.1330
Barkhor Street|八廓街|29.6525|91.1325
# Qingdao|青岛
Zhanqiao Pier|栈桥|36.0610|120.3200
Badaguan|八大关|36.0540|120.3540
Mount Lao|崂山|36.1700|120.6200
# Vancouver|温哥华
# Seattle|西雅图
# Cape Town|开普敦
# Hanoi|河内
# Fukuoka|福冈
# Jeju City|济州
# Denpasar|巴厘岛
# Nature|山水
Jiuzhaigou|九寨沟|33.2000|103.9000
Mount Huangshan/Yellow Mountain|黄山|30.1333|118.1667
Mount Tai|泰山|36.2557|117.1011
Mount Emei|峨眉山|29.5444|103.3328
Mogao Caves|莫高窟|40.0425|94.8090
Qinghai Lake|青海湖|36.9000|100.1800
Mount Fuji|富士山|35.3606|138.7274
Grand Canyon|大峡谷|36.0570|-112.1430
Niagara Falls|尼亚加拉瀑布|43.0828|-79.0742
Machu Picchu|马丘比丘|-13.1631|-72.5450
Angkor Wat|吴哥窟|13.4125|103.8670
Taj Mahal|泰姬陵|27.1751|78.0421
Stonehenge|巨石阵|51.1789|-1.8262
Mont-Saint-Michel|圣米歇尔山|48.6361|-1.5115
Neuschwanstein Castle|新天鹅堡|47.5576|10.7498
"""
